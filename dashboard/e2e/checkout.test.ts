import { expect, it } from "vitest";
import { openAs, sellerNumber, withBrowser } from "./browser";

const seller = sellerNumber(3);

withBrowser();

it("a shop is allowed by its origin, and what is none is told at the field", async () => {
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
