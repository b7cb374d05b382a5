import { graphql, listen, publish } from "./browser";
import { sell } from "./sales";

interface Owner {
  sellerId: string;
  apiKey: string;
  adminEmail: string;
  adminPassword: string;
}

/** Creates the records that the placeholders of `pages` refer to. Returns their ids, and a function that ends the webhook's endpoint. */
export async function createRecords(seller: Owner): Promise<{ ids: Record<string, string>; close: () => void }> {
  const listener = await listen({ status: 500, body: "<b>down</b>" });
  const { createWebhook } = await graphql<{ createWebhook: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }",
    {
      input: {
        name: "Listener with a name so long that it has to be broken, Veranstaltungsteilnahmebestätigungsempfänger",
        url: listener.url,
        events: { "campaign.created": true },
      },
    },
  );
  await publish(seller.sellerId, "campaign.created", { campaign: {} });
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    { input: { email: seller.adminEmail, password: seller.adminPassword } },
  );
  const { webhookDeliveries, keys } = await graphql<{
    webhookDeliveries: { nodes: { id: string }[] };
    keys: { nodes: { _id: string }[] };
  }>(login.token, "{ webhookDeliveries { nodes { id } } keys { nodes { _id } } }", {});
  const { accessLists, accessUsers, scanGroups } = await graphql<
    Record<"accessLists" | "accessUsers" | "scanGroups", { nodes: { _id: string }[] }>
  >(
    seller.apiKey,
    "{ accessLists(first: 1) { nodes { _id } } accessUsers(first: 1) { nodes { _id } } scanGroups(first: 1) { nodes { _id } } }",
    {},
  );
  const ids = {
    webhook: createWebhook._id,
    delivery: webhookDeliveries.nodes[0]?.id ?? "",
    key: keys.nodes[0]?._id ?? "",
    list: accessLists.nodes[0]?._id ?? "",
    device: accessUsers.nodes[0]?._id ?? "",
    group: scanGroups.nodes[0]?._id ?? "",
    ...(await sell(seller)),
  };
  return { ids, close: () => listener.close() };
}
