import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { addressLine } from "./sales";

interface Identification {
  type: "france_siren";
  identifier: string;
}

interface Person {
  company?: string | null;
  name?: string | null;
  prename?: string | null;
  firstname?: string | null;
  lastname?: string | null;
  email?: string | null;
  phone?: string | null;
  street?: string | null;
  line2?: string | null;
  postal?: string | null;
  city?: string | null;
  state?: string | null;
  country?: string | null;
  identification?: Identification[] | null;
}

/** The labels of document types. */
const registers: Record<Identification["type"], string> = { france_siren: "SIREN (France)" };

/** The known details of a buyer or holder. */
export function Buyer({ of: person }: { of: Person }) {
  const whole = [person.prename || person.firstname, person.lastname].filter(Boolean).join(" ");
  return (
    <Facts
      facts={[
        ["Name", whole || person.name || "Unknown"],
        ["Company", person.company || "None"],
        ["Email", person.email ? <CopyValue key="email" value={person.email} label="Copy email" /> : "None"],
        ...(person.phone ? [["Phone", person.phone] as [string, string]] : []),
        ["Address", addressLine(person) ?? "None"],
        ...(person.identification ?? []).map(
          ({ type, identifier }) =>
            [registers[type], <CopyValue key={identifier} value={identifier} label={`Copy ${registers[type]}`} />] as [
              string,
              React.ReactNode,
            ],
        ),
      ]}
    />
  );
}
