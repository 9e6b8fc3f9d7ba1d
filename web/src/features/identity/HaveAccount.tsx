// Ways on for somebody whose address may have an account already. They are always offered, so that they tell nobody whether it has.
import { stepWords } from "./stepWords";

type Props = { onSignIn: () => void; onReset: () => void };

export function HaveAccount({ onSignIn, onReset }: Props) {
  return (
    <div>
      <p className="dim t14">{stepWords.haveAccount}</p>
      <div className="row between wraps" style={{ rowGap: 0 }}>
        <button type="button" className="link" onClick={onSignIn}>
          {stepWords.signInInstead}
        </button>
        <button type="button" className="link" onClick={onReset}>
          {stepWords.resetPassword}
        </button>
      </div>
    </div>
  );
}
