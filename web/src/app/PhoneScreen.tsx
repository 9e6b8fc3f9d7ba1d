// The phone-number step, in the frame of the sign-in, which it follows.
import { LoginFrame } from "../features/identity/LoginFrame";
import { PhoneStep } from "../features/profile/PhoneStep";
import { Logo } from "../ui/brand";
import { Offline } from "../ui/Offline";
import { words as brandWords } from "../ui/shellWords";

type Props = { me: string; onSaved: () => void; onDone: () => void };

export function PhoneScreen(props: Props) {
  return (
    <>
      <Offline />
      <LoginFrame>
        <span className="row s t18">
          <Logo />
          {brandWords.brand}
        </span>
        <PhoneStep {...props} />
      </LoginFrame>
    </>
  );
}
