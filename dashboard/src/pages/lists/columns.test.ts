import { expect, it } from "vitest";
import { labelOf, leftOut, sentColumns, shownColumn, unnamed } from "./columns";

it("shows detected columns and sends selected ones", () => {
  expect(["meta.seat", "externalCode", null, undefined, ""].map(shownColumn)).toEqual([
    "meta.seat",
    "externalCode",
    leftOut,
    leftOut,
    unnamed,
  ]);
  expect(sentColumns(["meta.seat", "externalCode", leftOut, unnamed, "email"])).toEqual([
    "meta.seat",
    "externalCode",
    null,
    "",
    "email",
  ]);
});

it("labels fields, and keys of the meta by their names", () => {
  expect(["externalCode", "customerId", "meta.seat"].map(labelOf)).toEqual(["Code", "Customer ID", "Meta: seat"]);
});
