import { describe, expect, it } from "vitest";
import { addressLine, money, personName, raw } from "./sales";

it("formats an amount with its currency and all decimals", () => {
  expect(money(1234.5, "EUR")).toMatch(/1.?234[.,]50/);
  expect(money(0.0625, "EUR")).toMatch(/0[.,]0625/);
  expect(money(1500, "JPY")).toMatch(/1.?500(?![.,])/);
  expect(money(12.5, null)).toBe("12.5");
  expect(money(null, "EUR")).toBe("–");
});

describe("a person", () => {
  it.each([
    [{ prename: "Grace", lastname: "Hopper", company: "Navy" }, "Grace Hopper"],
    [{ firstname: "Grace", lastname: "" }, "Grace"],
    [{ name: "G. Hopper", company: "Navy" }, "G. Hopper"],
    [{ company: "Navy", email: "g@example.com" }, "Navy"],
    [{ email: "g@example.com" }, "g@example.com"],
    [{ lastname: null }, undefined],
  ])("%j has the name %s", (person, name) => {
    expect(personName(person)).toBe(name);
  });
  it("has a one-line address, or none", () => {
    expect(addressLine({ street: "1 rue X", postal: "75002", city: "Paris", country: "FR" })).toBe(
      "1 rue X, 75002 Paris, FR",
    );
    expect(addressLine({ street: "", city: null })).toBeUndefined();
  });
});

it("removes nulls and type names from JSON and masks secrets at any depth", () => {
  const value = { __typename: "T", secret: "s", a: null, list: [{ secret: "t", n: 0, flag: false }] };
  const dots = "••••••••";
  expect(raw(value, ["secret"])).toEqual({ secret: dots, list: [{ secret: dots, n: 0, flag: false }] });
  expect(raw(value, [])).toEqual({ secret: "s", list: [{ secret: "t", n: 0, flag: false }] });
});
