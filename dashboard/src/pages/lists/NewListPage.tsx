import { useNavigate } from "react-router";
import { CreateButtons } from "../../components/CreateButtons";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { failureHandler, ListForm, type ListValues, listInput, useListForm } from "./ListForm";
import { CreateListDocument } from "./lists.generated";

export default function NewListPage() {
  const navigate = useNavigate();
  const form = useListForm();
  const [create, busy] = useAction(CreateListDocument, {
    form,
    onFailure: failureHandler(form),
    done: "List created",
  });
  async function submit(values: ListValues) {
    const made = await create({ input: listInput(values) });
    if (made) await navigate(address("/lists", made.createAccessList._id), { replace: true });
  }
  return (
    <Page title="Create list" parents={[{ to: "/lists", label: "Access lists" }]}>
      <ListForm form={form} fresh onSubmit={submit}>
        <CreateButtons back="/lists" busy={busy}>
          Create list
        </CreateButtons>
      </ListForm>
    </Page>
  );
}
