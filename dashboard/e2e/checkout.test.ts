import { expect, it } from "vitest";
import { openAs, sellerNumber, withBrowser } from "./browser";

const seller = sellerNumber(3);

withBrowser();

it("a SIREN is checked like in the checkout, and rejected buyers are counted", async () => {
  const page = await openAs(seller, "/checkout");
  const number = page.getByLabel("SIREN", { exact: true });
  await number.fill("732829321");
  await page.getByText("Check digit 1 is wrong, expected 0").waitFor();
  await page.getByText(/^The number does not pass the SIREN checksum/).waitFor();
  await number.fill("73282932");
  await page.getByText("The number must have nine digits, not 8.").waitFor();
  await page.getByText("8 of 9 digits").waitFor();
  await number.fill("732829320");
  await page.getByText("Accepted", { exact: true }).waitFor();
  await page.getByText("No rejections").waitFor();
  expect(page.troubles).toEqual([]);
});

it("a shop is allowed by its origin, and an invalid origin is reported at the field", async () => {
  const page = await openAs(seller, "/checkout");
  const field = page.locator("form").filter({ hasText: "Origins" }).locator("input:not([type=hidden])");
  await field.fill("https://*.example.com");
  await field.press("Enter");
  await page.getByRole("button", { name: "Save shops" }).click();
  await page.getByText(/^https:\/\/\*\.example\.com .+/).waitFor();
  await field.press("Backspace");
  await field.fill("https://Shop.example.com:443");
  await field.press("Enter");
  await page.getByRole("button", { name: "Save shops" }).click();
  await page.getByText("https://shop.example.com", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("https://shop.example.com", { exact: true }).waitFor();
  expect(page.troubles).toEqual([]);
});
