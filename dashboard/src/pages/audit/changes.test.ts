import { expect, it } from "vitest";
import { differences } from "./changes";

it("lists changed fields with their old and new values", () => {
  const before = { name: "Gate", permissions: ["scans:list"], expiresAt: null };
  const after = { name: "Gate 2", permissions: ["scans:list", "events:list"], active: false };
  expect(differences(before, after)).toEqual([
    { member: "active", before: undefined, after: "false" },
    { member: "expiresAt", before: "null", after: undefined },
    { member: "name", before: "Gate", after: "Gate 2" },
    { member: "permissions", before: '[\n "scans:list"\n]', after: '[\n "scans:list",\n "events:list"\n]' },
  ]);
});

it("leaves the old or new value of created or deleted records undefined", () => {
  expect(differences(null, { name: "New" })).toEqual([{ member: "name", before: undefined, after: "New" }]);
  expect(differences({ name: "Old" }, null)).toEqual([{ member: "name", before: "Old", after: undefined }]);
  expect(differences({}, {})).toEqual([]);
});
