import { describe, expect, it } from "vitest";
import { headersOf, newFetcher } from "./fetcher";

describe("the playground's calls", () => {
  it("are sent as the signed-in user for the selected seller", () => {
    const headers = headersOf({ query: "{ me { _id } }" }, { key: undefined, sellerId: "seller-1" });
    expect(headers).toMatchObject({ "x-seller-id": "seller-1", "content-type": "application/json" });
    expect(headers.authorization).toBeUndefined();
  });

  it("are sent only with the key, which determines the seller", () => {
    const headers = headersOf({ query: "{ me { _id } }" }, { key: "key_1", sellerId: "seller-1" });
    expect(headers.authorization).toBe("Bearer key_1");
    expect(headers["x-seller-id"]).toBeUndefined();
  });

  it("fail without a key instead of using the session", async () => {
    const ask = newFetcher(() => ({ key: "", sellerId: "seller-1" }));
    expect(await ask({ query: "{ me { _id } }" })).toEqual({
      errors: [{ message: "Enter an API key above, or select “Run as me”." }],
    });
  });

  it("always load the schema as the signed-in user", () => {
    const asked = {
      query: "query IntrospectionQuery { __schema { queryType { name } } }",
      operationName: "IntrospectionQuery",
    };
    expect(headersOf(asked, { key: "key_1", sellerId: undefined }).authorization).toBeUndefined();
  });
});
