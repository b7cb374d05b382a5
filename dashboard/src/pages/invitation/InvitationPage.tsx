import { Button, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useQuery } from "urql";
import { ErrorState } from "../../components/ErrorState";
import { VisitorPage } from "../../components/VisitorPage";
import { failureOf } from "../../lib/failure";
import { setUser } from "../../session/seller";
import { roleWord } from "../../session/session";
import { notifyTabs } from "../../session/tabs";
import { LoginForm } from "../login/LoginForm";
import { sameEmail, takeCode } from "./code";
import { InvitationDocument, type InvitationQuery, VisitorDocument } from "./invitation.generated";
import { JoinForm } from "./JoinForm";
import { NewAccountForm } from "./NewAccountForm";

type Offer = InvitationQuery["invitation"];

/** The page behind an invitation link. */
export default function InvitationPage() {
  const [code] = useState(takeCode);
  return (
    <VisitorPage title="Invitation" width={420}>
      <Invitation code={code} />
    </VisitorPage>
  );
}

function Invitation({ code }: { code: string }) {
  const [{ data, error }, again] = useQuery({ query: InvitationDocument, variables: { code }, pause: !code });
  if (error && failureOf(error).code !== "NOT_FOUND") return <ErrorState error={error} onRetry={again} />;
  if (!code || error) {
    return (
      <Stack>
        <Title order={1} size="h3">
          This link doesn't work
        </Title>
        <Text size="sm">
          The link has expired, or it was used, replaced or withdrawn. Ask the person who invited you for a new one.
        </Text>
      </Stack>
    );
  }
  return data ? <Accept code={code} offer={data.invitation} /> : null;
}

function Accept({ code, offer }: { code: string; offer: Offer }) {
  const navigate = useNavigate();
  const [{ data, fetching }, again] = useQuery({ query: VisitorDocument });
  const signedIn = sameEmail(data?.me.user?.email, offer.email);
  function joined(userId: string) {
    setUser(userId);
    notifyTabs();
    void navigate("/", { replace: true });
  }
  if (fetching && !data) return null;
  return (
    <Stack>
      <Title order={1} size="h3" style={{ overflowWrap: "anywhere" }}>
        Join {offer.placeName}
      </Title>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {offer.email} has been invited with the role {roleWord(offer.role)}.
      </Text>
      {signedIn ? (
        <JoinForm code={code} email={offer.email} onDone={joined} />
      ) : (
        <Visitor
          code={code}
          email={offer.email}
          onSignedIn={() => again({ requestPolicy: "network-only" })}
          onDone={joined}
        />
      )}
    </Stack>
  );
}

interface VisitorProps {
  code: string;
  email: string;
  onSignedIn: () => void;
  onDone: (userId: string) => void;
}

function Visitor({ code, email, onSignedIn, onDone }: VisitorProps) {
  const [way, setWay] = useState("new");
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Account"
        value={way}
        onChange={setWay}
        data={[
          { value: "new", label: "Create an account" },
          { value: "known", label: "I have an account" },
        ]}
      />
      {way === "new" ? (
        <NewAccountForm code={code} email={email} onDone={onDone} />
      ) : (
        <LoginForm reason={undefined} email={email} onDone={onSignedIn} />
      )}
      <Button component="a" href="/login" variant="subtle" size="compact-sm">
        Go to the sign-in page
      </Button>
    </>
  );
}
