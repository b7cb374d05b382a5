import { expect, it } from "vitest";
import { newSigningKey } from "./signing";

it("generates a new key of 64 hexadecimal characters each time", () => {
  expect(newSigningKey()).toMatch(/^[0-9a-f]{64}$/);
  expect(newSigningKey()).not.toBe(newSigningKey());
});
