import { expect, it } from "vitest";
import { newSigningKey } from "./signing";

it("a signing key is 64 hexadecimal characters, each time others", () => {
  expect(newSigningKey()).toMatch(/^[0-9a-f]{64}$/);
  expect(newSigningKey()).not.toBe(newSigningKey());
});
