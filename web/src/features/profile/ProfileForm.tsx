// The form of Edit Profile.
import { Button, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconAt, IconBrandPaypal, IconCircleCheck } from "@tabler/icons-react";
import type { FormEvent, ReactNode } from "react";
import { useConfig } from "../../lib/config";
import { textField } from "../../lib/fields";
import { listOf } from "../../lib/lists";
import { Failed } from "../../ui/Failed";
import { Note, Section } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { Stick } from "../../ui/Stick";
import { isSame, shownName } from "./form";
import type { Unsaved } from "./kept";
import { PhoneFields } from "./PhoneFields";
import { PictureCard } from "./PictureCard";
import { SendingPicture } from "./SendingPicture";
import type { useProfileForm } from "./useProfileForm";
import { verifyWords, words } from "./words";

export type ProfileFormState = ReturnType<typeof useProfileForm>;

/** Whether the number is known to be the member's, and the way to show it. */
function Verified({ isSaved, isVerified, onVerify }: { isSaved: boolean; isVerified: boolean; onVerify: () => void }) {
  if (!isSaved) return <p className="dim t14 under-field">{verifyWords.saveFirst}</p>;
  if (isVerified)
    return (
      <p className="row s t14 under-field verified">
        <IconCircleCheck size={18} aria-hidden="true" />
        {verifyWords.verified}
      </p>
    );
  return (
    <div className="row between wraps under-field">
      <span className="dim t14">{verifyWords.notVerified}</span>
      <Button variant="light" aria-haspopup="dialog" onClick={onVerify}>
        {verifyWords.verify}
      </Button>
    </div>
  );
}

/** `saved` is the address of the picture that the server has. */
type Props = { state: ProfileFormState; email: string; saved: string; isVerified: boolean; onVerify: () => void };

/** What the picture's failure says is whole; of words it is said that they are kept. */
function NotSaved({ title, text, isLost, onSave }: Unsaved & { onSave: () => void }) {
  const again = isLost ? onSave : undefined;
  if (title !== undefined) return <Failed title={title} text={text} onRetry={again} />;
  return isLost ? <Failed text={text} isTyped onRetry={again} /> : <Failed text={words.keptSaved(text)} />;
}

function Bar({ state, onSave }: { state: ProfileFormState; onSave: () => void }): ReactNode {
  const { failed, both, isDirty, isBusy } = state;
  const above = (
    <>
      {both.length > 0 && (
        <Note tone="wait" role="status" icon={<IconAlertTriangle size={20} />}>
          {words.changedElsewhere(listOf(both.map((name) => words.fields[name])))}
          <span className="row s ways">
            <Button variant="default" onClick={state.loadNewer}>
              {words.loadNewer}
            </Button>
          </span>
        </Note>
      )}
      <SendingPicture />
      {failed !== null && <NotSaved {...failed} onSave={onSave} />}
    </>
  );
  return (
    <Stick above={above}>
      {/* It keeps the focus, and says why when it is pressed all the same. */}
      <Button
        type="submit"
        size="lg"
        className="main-act"
        loading={isBusy}
        data-disabled={!isDirty || undefined}
        aria-disabled={!isDirty || undefined}
      >
        {words.save}
      </Button>
    </Stick>
  );
}

export function ProfileForm({ state, email, saved, isVerified, onVerify }: Props) {
  const { fields, base, isDirty, isBusy } = state;
  const { values } = fields;
  const hasSms = useConfig()?.sms === true;
  const isSaved = values.phone === base.phone && values.country === base.country;

  function save(): void {
    if (isBusy) return;
    if (!isDirty) return say(words.noChanges, "idle");
    // A picture can be changed also by who has a name of one word.
    if (isSame(values, base) || fields.passes()) state.save();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    save();
  }

  const name = shownName({ ...values, displayName: "" });
  return (
    <form noValidate aria-label={words.title} onSubmit={submit}>
      <div className="stack l padstick">
        <PictureCard
          name={shownName(values) || email}
          saved={saved}
          picture={state.picture}
          isBusy={isBusy}
          onChoose={state.choose}
        />
        <fieldset className="fieldset stack l" disabled={isBusy}>
          <Section title={words.personal}>
            <div className="stack f">
              <div className="names">
                <TextInput
                  label={words.firstName}
                  autoComplete="given-name"
                  maxLength={100}
                  {...textField(fields, "firstName")}
                />
                <TextInput
                  label={words.lastName}
                  autoComplete="family-name"
                  maxLength={100}
                  {...textField(fields, "lastName")}
                />
              </div>
              <TextInput
                label={words.displayName}
                description={words.displayNameSub}
                autoComplete="nickname"
                maxLength={200}
                placeholder={name}
                {...textField(fields, "displayName")}
              />
              <PhoneFields fields={fields} label={words.phone}>
                {hasSms && values.phone !== "" && fields.errors.phone === undefined && (
                  <Verified isSaved={isSaved} isVerified={isVerified} onVerify={onVerify} />
                )}
              </PhoneFields>
            </div>
          </Section>
          <Section title={words.payment}>
            <div className="stack f">
              <p className="dim t14">{words.paymentSub}</p>
              {(["venmo", "paypal"] as const).map((service) => (
                <TextInput
                  key={service}
                  label={words[service]}
                  placeholder={words.username}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  // A link to the username is longer than that.
                  maxLength={500}
                  leftSection={service === "venmo" ? <IconAt size={20} /> : <IconBrandPaypal size={20} />}
                  {...textField(fields, service)}
                />
              ))}
            </div>
          </Section>
        </fieldset>
      </div>
      <Bar state={state} onSave={save} />
    </form>
  );
}
