// Edit Profile: one's picture, name, number and payment handles, as the server has them and as they are typed.
import { ActionIcon } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { Profile } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { useAskedBack } from "../../lib/asking";
import { useBack } from "../../lib/back";
import { part } from "../../lib/parts";
import type { Member } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { confirmed } from "../../ui/confirm";
import { Loaded } from "../../ui/Loaded";
import { ScreenHead } from "../../ui/ScreenHead";
import { say } from "../../ui/said";
import { Sheet } from "../../ui/Sheet";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { FormSkeleton } from "../../ui/Skeletons";
import { dismiss } from "../../ui/toast";
import { drop } from "./kept";
import { useProfile } from "./own";
import { ProfileForm } from "./ProfileForm";
import { hasChanges, isUnderWay, PATH } from "./saving";
import { useProfileForm } from "./useProfileForm";
import { verifyWords, words } from "./words";

const VerifyPhone = part(() => import("./VerifyPhone").then((m) => m.VerifyPhone));

const OTHERWISE = "/settings";

/** Whether something was typed or chosen that would be lost. What is under way goes on. */
const hasWords = (me: string): boolean => !isUnderWay(me) && hasChanges(me);

const mayDiscard = async (me: string): Promise<boolean> =>
  !hasWords(me) || confirmed({ ...words.discard, destructive: true });

async function mayLeave(me: string): Promise<boolean> {
  const may = await mayDiscard(me);
  if (may && hasWords(me)) drop(me);
  return may;
}

/** Whoever comes back to the page finds the profile as it is now; what is typed stays over it. */
function useReload(reload: () => void): void {
  const again = useEffectEvent(() => {
    if (document.visibilityState === "visible") reload();
  });
  useEffect(() => {
    const look = (): void => again();
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
}

type ContentProps = { member: Member; profile: Profile; reload: () => Promise<boolean> };

function Content({ member, profile, reload }: ContentProps) {
  const { uid, email } = member;
  const state = useProfileForm(uid, profile);
  const back = useBack();
  const [busy, setBusy] = useState(false);
  // What is closed keeps its contents until it is gone, and begins anew another time.
  const [sheet, setSheet] = useState({ opened: false, times: 0 });
  const isUnsaved = state.isDirty && !state.isBusy;
  useAskedBack(
    isUnsaved,
    () => mayLeave(uid),
    () => back(OTHERWISE),
  );
  useReload(() => {
    if (state.picture === null && !state.isBusy) void reload();
  });

  async function refresh(): Promise<void> {
    if (busy || state.isBusy || !(await mayDiscard(uid))) return;
    if (state.isDirty) state.reset();
    setBusy(true);
    // What failed is said once for the screen.
    if (await reload()) say(words.refreshed, "idle");
    setBusy(false);
  }

  function close(said?: string): void {
    setSheet((was) => ({ ...was, opened: false }));
    if (said !== undefined) say(said);
  }

  return (
    <>
      <Head me={uid} onRefresh={() => void refresh()} isRefreshing={busy} />
      <ProfileForm
        state={state}
        email={email}
        saved={profile.details?.profilePictureUrl ?? ""}
        isVerified={profile.details?.phoneVerified === true}
        onVerify={() => setSheet(({ times }) => ({ opened: true, times: times + 1 }))}
      />
      <Sheet
        opened={sheet.opened}
        onClose={() => close()}
        title={verifyWords.title}
        skeleton={<FieldSkeleton label={verifyWords.sending} />}
      >
        <VerifyPhone key={sheet.times} onVerified={() => close(verifyWords.done)} />
      </Sheet>
    </>
  );
}

type HeadProps = { me: string; onRefresh?: () => void; isRefreshing?: boolean };

function Head({ me, onRefresh, isRefreshing = false }: HeadProps) {
  const back = useBack();
  const close = async (): Promise<void> => {
    if (await mayLeave(me)) back(OTHERWISE);
  };
  return (
    <ScreenHead
      title={words.title}
      back={words.close}
      otherwise={OTHERWISE}
      onClose={() => void close()}
      aside={
        onRefresh !== undefined && (
          <ActionIcon aria-label={words.refresh} loading={isRefreshing} onClick={onRefresh}>
            <IconRefresh />
          </ActionIcon>
        )
      }
    />
  );
}

export function ProfileScreen({ member }: { member: Member }) {
  const query = useProfile(member.uid);
  useTitle(words.title);
  // It is said here from now on.
  useEffect(() => dismiss(PATH), []);
  const reload = async (): Promise<boolean> => !(await query.refetch({ cancelRefetch: false })).isError;
  return (
    <div className="narrow">
      {query.data === undefined && <Head me={member.uid} />}
      <Loaded query={query} skeleton={<FormSkeleton label={words.loading} />} failed={words.failed}>
        {(profile) => <Content member={member} profile={profile} reload={reload} />}
      </Loaded>
    </div>
  );
}
