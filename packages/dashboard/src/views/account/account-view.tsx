import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useApi, useApp } from "../../api/app-context.ts";
import { meQuery, sourcesQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Loaded } from "../../ui/states.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { View } from "../../ui/view.tsx";
import { shellWords } from "../../words.ts";
import { useSignOut } from "./sign-out.ts";
import { accountWords } from "./words.ts";

/** The signed-in person, and the way to sign out. */
export function AccountView() {
  const api = useApi();
  const query = useQuery(meQuery(api));
  const sources = useQuery(sourcesQuery(api)).data;
  const signOut = useSignOut();
  return (
    <View title={shellWords.yourAccount} width="text">
      <Loaded query={query}>
        {({ name, email, provider, created_at, last_sign_in_at }) => (
          <dl className="card divide-y divide-line">
            <Fact term={accountWords.provider}>
              {name}{" "}
              <span className="text-quiet">
                ({sources?.find((source) => source.provider === provider)?.name ?? provider})
              </span>
            </Fact>
            {email === null ? null : <Fact term={accountWords.email}>{email}</Fact>}
            <Fact term={accountWords.since}>
              <ExactTime value={created_at} />
            </Fact>
            <Fact term={accountWords.lastSignIn}>
              <ExactTime value={last_sign_in_at} />
            </Fact>
          </dl>
        )}
      </Loaded>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <button type="button" className="button" onClick={signOut}>
          {shellWords.signOut}
        </button>
        <Link className="link" to={paths.activity}>
          {accountWords.sessions}
        </Link>
      </div>
      <Deletion />
    </View>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 px-5 py-3">
      <dt className="text-quiet">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Deletion() {
  const { api, keeper } = useApp();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    // Polls are refused before the response to the deletion arrives; the person expects that.
    const forget = keeper.expectEnd("deleted");
    try {
      await api.deleteAccount();
      keeper.end("deleted");
    } finally {
      forget();
    }
  };
  return (
    <section className="mt-4 grid justify-items-start gap-3 border-t border-line pt-6">
      <h2 className="text-lg font-semibold">{accountWords.deleteHeading}</h2>
      <p className="text-quiet">{accountWords.deleteWhat}</p>
      <button type="button" className="button text-danger" onClick={() => setAsking(true)}>
        {accountWords.delete}
      </button>
      {isAsking ? (
        <Confirm
          title={accountWords.deleteTitle}
          action={accountWords.deleteAction}
          typed={accountWords.deleteWord}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{accountWords.deleteWhat}</p>
          <p className="text-quiet">{accountWords.deleteKept}</p>
        </Confirm>
      ) : null}
    </section>
  );
}
