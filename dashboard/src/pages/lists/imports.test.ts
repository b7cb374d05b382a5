import { describe, expect, it } from "vitest";
import { beginningOf, partsOf } from "./imports";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const most = 160 * 1024;

describe("a text", () => {
  it.each([
    ["nothing", "", [0]],
    ["one byte a character", "x".repeat(2 * most + 1), [most, most, 1]],
    ["a part to its end", "x".repeat(most), [most]],
    ["two bytes a character", "é".repeat(most), [most / 2, most / 2]],
    ["three bytes a character", "€".repeat(100_000), [54_613, 45_387]],
    ["characters of two units", `x${"😀".repeat(100_000)}`, [81_919, 81_920, 36_162]],
    ["half a character where it is cut", `${"x".repeat(most - 1)}\ud83dx`, [most - 1, 2]],
  ])("of %s is split completely, never within a character", (_, text, lengths) => {
    const parts = partsOf(text);
    expect(parts.map((part) => part.length)).toEqual(lengths);
    expect(parts.join("") === text).toBe(true);
    expect(parts.every((part) => bytesOf(part) <= most)).toBe(true);
  });
  it("has a beginning of limited length", () => {
    expect(beginningOf("code\nA")).toEqual({ text: "code\nA", more: false });
    expect(beginningOf("x".repeat(64 * 1024)).more).toBe(false);
    const long = beginningOf("😀".repeat(20_000));
    expect([long.text.length, bytesOf(long.text), long.more]).toEqual([2 * 16 * 1024, 64 * 1024, true]);
  });
});
