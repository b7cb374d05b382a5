import { expect, it } from "vitest";
import { inWords } from "./words";

it("turns identifiers into words", () => {
  expect(inWords("createApiKey")).toBe("Create API key");
  expect(inWords("apiKey")).toBe("API key");
  expect(inWords("accessUser")).toBe("Access user");
  expect(inWords("retryWebhookDelivery")).toBe("Retry webhook delivery");
  expect(inWords("checkout.expired")).toBe("Checkout expired");
  expect(inWords("")).toBe("");
});
