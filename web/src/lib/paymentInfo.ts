// The payment usernames in another member's profile. Nobody tells of new ones, so they are asked for each time they are looked at.
import { useQuery } from "@connectrpc/connect-query";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { type Handles, handleIn } from "./pay";

export const usePaymentInfo = (uid: string) =>
  useQuery(
    ProfileService.method.getProfile,
    { uid },
    {
      refetchOnMount: "always",
      refetchOnWindowFocus: "always",
      select: ({ profile }): Handles => {
        const { venmoUsername = "", paypalUsername = "" } = profile?.data?.paymentInfo ?? {};
        // Other clients keep what members type.
        return { venmo: handleIn("venmo", venmoUsername), paypal: handleIn("paypal", paypalUsername) };
      },
    },
  );
