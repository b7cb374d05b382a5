import { expect, it } from "vitest";
import { toChoices, withChosen } from "./choices";

it("things of the same name can be told apart, and what is chosen is never lost", () => {
  const choices = toChoices([
    { _id: "aaaaaaaa1", name: "Gate" },
    { _id: "aaaaaaaa2", name: "Gate" },
    { _id: "3", name: "Door" },
  ]);
  expect(choices.map(({ label }) => label)).toEqual(["Gate · aaaaa1", "Gate · aaaaa2", "Door"]);
  expect(withChosen(choices, ["3", "4", null]).map(({ value }) => value)).toEqual(["aaaaaaaa1", "aaaaaaaa2", "3", "4"]);
});
