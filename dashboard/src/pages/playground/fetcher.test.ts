import { describe, expect, it } from "vitest";
import { headersOf, newFetcher } from "./fetcher";

describe("the playground's calls", () => {
  it("go out as the signed-in user on the seller that was chosen", () => {
    const headers = headersOf({ query: "{ me { _id } }" }, { key: undefined, sellerId: "seller-1" });
    expect(headers).toMatchObject({ "x-seller-id": "seller-1", "content-type": "application/json" });
    expect(headers.authorization).toBeUndefined();
  });

  it("go out as the key alone where there is one, which has a seller of its own", () => {
    const headers = headersOf({ query: "{ me { _id } }" }, { key: "key_1", sellerId: "seller-1" });
    expect(headers.authorization).toBe("Bearer key_1");
    expect(headers["x-seller-id"]).toBeUndefined();
  });

  it("do not go out as a key that was not given, and least of all as somebody else", async () => {
    const ask = newFetcher(() => ({ key: "", sellerId: "seller-1" }));
    expect(await ask({ query: "{ me { _id } }" })).toEqual({
      errors: [{ message: "Enter an API key above, or run it as yourself." }],
    });
  });

  it("ask for the schema as the signed-in user in any case", () => {
    const asked = {
      query: "query IntrospectionQuery { __schema { queryType { name } } }",
      operationName: "IntrospectionQuery",
    };
    expect(headersOf(asked, { key: "key_1", sellerId: undefined }).authorization).toBeUndefined();
  });
});
