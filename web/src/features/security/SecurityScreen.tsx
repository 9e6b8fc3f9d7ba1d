// How a member signs in, and from where: address, password, second steps, sessions and devices.
import { useQueryClient } from "@tanstack/react-query";
import { IconLock, IconMail, IconPhone } from "@tabler/icons-react";
import { Fragment, type ReactNode, useState } from "react";
import { useConfig } from "../../lib/config";
import { freshen } from "../../lib/freshen";
import { part } from "../../lib/parts";
import type { Member } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { Row } from "../../ui/Row";
import { ScreenHead } from "../../ui/ScreenHead";
import { say } from "../../ui/said";
import { Sheet } from "../../ui/Sheet";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { SectionSkeletons } from "../../ui/Skeletons";
import { Words } from "../../ui/Words";
import { Devices } from "./Devices";
import { Factors } from "./Factors";
import { Links } from "./Links";
import { type Account, isOfIdentity, useAccount } from "./queries";
import { Sessions } from "./Sessions";
import { words } from "./words";

const PasswordSheet = part(() => import("./PasswordSheet").then((m) => m.PasswordSheet));
const ContactSheet = part(() => import("./ContactSheet").then((m) => m.ContactSheet));
const AuthenticatorSheet = part(() => import("./AuthenticatorSheet").then((m) => m.AuthenticatorSheet));

const TITLES = {
  email: words.changeEmail.title,
  phone: words.changePhone.title,
  password: words.changePassword.title,
  authenticator: words.authenticator.title,
};
type Open = keyof typeof TITLES;
const CLOSED = { kind: "password", opened: false, times: 0 } as const;

type Inside = { account: Account; onChanged: () => void; onClose: (said?: string) => void };

function inside(open: Open, { account, onChanged, onClose }: Inside): ReactNode {
  switch (open) {
    case "email":
      return <ContactSheet name="email" present={account.email} onSaved={() => onClose(words.changeEmail.saved)} />;
    case "phone":
      return (
        <ContactSheet
          name="phone_number"
          present={account.phoneVerified ? account.phone : ""}
          onSaved={() => onClose(words.changePhone.saved)}
        />
      );
    case "password":
      return <PasswordSheet onSaved={() => onClose(words.changePassword.saved)} />;
    case "authenticator":
      return (
        <AuthenticatorSheet
          isOn={account.factors.includes("authenticator")}
          email={account.email}
          onChanged={onChanged}
          onClose={onClose}
        />
      );
    default:
      return open satisfies never;
  }
}

function phoneOf({ phone, phoneVerified }: Account): string {
  if (phone === "") return words.signIn.none;
  return phoneVerified ? phone : words.signIn.unverified(phone);
}

function Sections({ account, member }: { account: Account; member: Member }) {
  const cache = useQueryClient();
  const config = useConfig();
  // What is closed keeps its contents until it is gone, and begins anew another time.
  const [sheet, setSheet] = useState<{ kind: Open; opened: boolean; times: number }>(CLOSED);
  const changed = (): void => void freshen(cache, isOfIdentity);
  const open = (kind: Open) => (): void => setSheet(({ times }) => ({ kind, opened: true, times: times + 1 }));

  function close(said?: string): void {
    setSheet((was) => ({ ...was, opened: false }));
    changed();
    if (said !== undefined) say(said);
  }

  return (
    <div className="stack l">
      <Section title={words.signIn.title}>
        <div className="card flush rows">
          <Row
            icon={<IconMail size={22} />}
            label={words.signIn.email}
            value={<Words>{account.email}</Words>}
            onOpen={open("email")}
          />
          {config?.sms === true && (
            <Row
              icon={<IconPhone size={22} />}
              label={words.signIn.phone}
              value={phoneOf(account)}
              onOpen={open("phone")}
            />
          )}
          <Row
            icon={<IconLock size={22} />}
            label={words.signIn.password}
            value={words.signIn.change}
            onOpen={open("password")}
          />
        </div>
      </Section>
      <Factors account={account} onAuthenticator={open("authenticator")} onChanged={changed} />
      <Links account={account} onChanged={changed} />
      <Sessions onChanged={changed} />
      <Devices uid={member.uid} onChanged={changed} />
      <Sheet
        opened={sheet.opened}
        onClose={() => close()}
        title={TITLES[sheet.kind]}
        skeleton={<FieldSkeleton label={words.loading} />}
      >
        <Fragment key={sheet.times}>{inside(sheet.kind, { account, onChanged: changed, onClose: close })}</Fragment>
      </Sheet>
    </div>
  );
}

export function SecurityScreen({ member }: { member: Member }) {
  const account = useAccount();
  const hasPhone = useConfig()?.sms !== false;
  useTitle(words.title);
  return (
    <div className="narrow">
      <ScreenHead title={words.title} back={words.back} otherwise="/settings" />
      <Loaded
        query={account}
        skeleton={<SectionSkeletons label={words.loading} rows={[hasPhone ? 3 : 2, 2]} />}
        failed={words.failed}
      >
        {(known) => <Sections account={known} member={member} />}
      </Loaded>
    </div>
  );
}
