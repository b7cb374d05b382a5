import { expect, it } from "vitest";
import { safeTarget } from "./target";

// DASH-21
it.each([
  ["/\t/evil.example"],
  ["/\n/evil.example"],
  ["/\r\n/evil.example"],
  ["\t//evil.example"],
  [" //evil.example"],
  ["//evil.example"],
  ["///evil.example"],
  ["/\\evil.example"],
  ["\\\\evil.example"],
  ["/\t\\evil.example"],
  ["/.//evil.example"],
  ["/x/..//evil.example"],
  ["/%2e//evil.example"],
  ["https://evil.example/"],
  ["https:/evil.example"],
  ["javascript:alert(1)"],
  ["data:text/html,x"],
  ["evil.example"],
  ["@evil.example"],
  ["/login"],
  ["/LOGIN?next=/keys"],
  ["/%6Cogin"],
  ["/login/"],
  ["/x/../login"],
  ["/%"],
  [""],
  [null],
])("leads from %j to the overview", (next) => {
  expect(safeTarget(next)).toBe("/");
});

it.each([
  ["/", "/"],
  ["/keys", "/keys"],
  ["/events/a%2Fb?tab=settings#end", "/events/a%2Fb?tab=settings#end"],
  ["/events/%09", "/events/%09"],
  ["/%09/evil.example", "/%09/evil.example"],
  ["/search?next=//evil.example", "/search?next=//evil.example"],
  ["/loginhelp", "/loginhelp"],
])("leads from %j to %s", (next, target) => {
  expect(safeTarget(next)).toBe(target);
  expect(new URL(target, "https://tickets.example").host).toBe("tickets.example");
});
