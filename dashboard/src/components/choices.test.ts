import { expect, it } from "vitest";
import { toChoices, withChosen } from "./choices";

it("distinguishes equal names and keeps selected values", () => {
  const choices = toChoices([
    { _id: "aaaaaaaa1", name: "Gate" },
    { _id: "aaaaaaaa2", name: "Gate" },
    { _id: "3", name: "Door" },
  ]);
  expect(choices.map(({ label }) => label)).toEqual(["Gate · aaaaa1", "Gate · aaaaa2", "Door"]);
  expect(withChosen(choices, ["3", "4", null]).map(({ value }) => value)).toEqual(["aaaaaaaa1", "aaaaaaaa2", "3", "4"]);
});
