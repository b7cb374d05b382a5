import { expect, it } from "vitest";
import { lockedFor, unexpected, words } from "./login";

it("counts down a lockout and shows other messages as they are", () => {
  const lock = { code: "RATE_LIMITED", message: "Too many failed sign-in attempts", retryAfter: 62, fields: [] };
  expect(lockedFor(lock)).toBe(62);
  expect(words(lock, 62)).toBe("Too many failed sign-in attempts. Try again in 1 min 2 s.");
  expect(words(lock, 0)).toBe("You can try again now.");
  expect(unexpected(lock)).toBe(false);

  const away = { code: "UNAVAILABLE", message: "The service is away", retryAfter: 2, fields: [] };
  expect(lockedFor(away)).toBeUndefined();
  expect(words(away, 0)).toBe("The service is away");
  expect(unexpected(away)).toBe(true);
});
