// The payment usernames in another member's profile.
import { useQuery } from "@connectrpc/connect-query";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { type Handles, handleIn } from "./pay";

export const usePaymentInfo = (uid: string) =>
  useQuery(
    ProfileService.method.getProfile,
    { uid },
    {
      select: ({ profile }): Handles => {
        const { venmoUsername = "", paypalUsername = "" } = profile?.data?.paymentInfo ?? {};
        // Other clients keep what members type.
        return { venmo: handleIn("venmo", venmoUsername), paypal: handleIn("paypal", paypalUsername) };
      },
    },
  );
