import { expect, it } from "vitest";
import { nameError, urlError } from "./validation";

it("requires a name that isn't blank", () => {
  expect(["", " \t"].map(nameError)).toEqual(["Enter a name", "Enter a name"]);
  expect(nameError(" Till ")).toBeNull();
});

it("requires the scheme of an endpoint URL", () => {
  for (const url of ["https://example.com", "HTTP://example.com", " http://127.0.0.1:9900"])
    expect(urlError(url)).toBeNull();
  for (const url of ["", "example.com", "ftp://example.com", "https:example.com"]) {
    expect(urlError(url)).toBe("The URL must start with https:// or http://");
  }
});
