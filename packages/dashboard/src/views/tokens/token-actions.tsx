import type { CreatedToken, ServiceToken } from "@clew/client";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { announce } from "../../ui/announce.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { SelectField } from "../../ui/field.tsx";
import { focusTitle } from "../../ui/focus.ts";
import { MoreIcon } from "../../ui/icons.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Time } from "../../ui/time.tsx";
import { usableTokens } from "./limits.ts";
import { allTokens } from "./lists.ts";
import { Reveal } from "./reveal.tsx";
import { appWords, revealWords, tokenWords } from "./words.ts";

/** The actions on tokens that work. */
export interface TokenActions {
  buttonsFor(token: ServiceToken): ReactNode;
  /** The same as a menu, for a row of a table. */
  menuFor(token: ServiceToken): ReactNode;
  /** The open dialog; null without one. */
  readonly dialog: ReactNode;
  /** The new token of a rotation, to be shown in place of the view; null without one. */
  readonly revealed: ReactNode;
}

type Question = { readonly kind: "rotate" | "revoke"; readonly token: ServiceToken };

/** Hours for which the old token still works: first what breaks nothing that runs. */
const overlaps = [24, 1, 168, 0];
const standardOverlap = 24;

/** Rotates and revokes tokens. `used` is the number of tokens that work. */
export function useTokenActions(used: number): TokenActions {
  const api = useApi();
  const client = useQueryClient();
  const [question, setQuestion] = useState<Question | null>(null);
  const [overlap, setOverlap] = useState(standardOverlap);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const close = () => setQuestion(null);
  const forget = useCallback(() => setCreated(null), []);
  const isFull = used >= usableTokens;

  const tellRevoked = (token: ServiceToken) => {
    announce(wordsFor(token).done);
    focusTitle();
    void client.invalidateQueries(allTokens);
  };
  // Not a mutation of the query library, which would keep the token.
  const rotate = async ({ id }: ServiceToken) => {
    setCreated(await api.rotateServiceToken({ id, overlap_hours: isFull ? 0 : overlap }));
    await client.invalidateQueries(allTokens);
  };

  const dialogFor = ({ kind, token }: Question) =>
    kind === "revoke" ? (
      <Confirm
        title={wordsFor(token).title}
        action={wordsFor(token).action}
        onConfirm={() => api.revokeServiceToken({ id: token.id })}
        onDone={() => tellRevoked(token)}
        onClose={close}
      >
        <p>
          <LastUse token={token} />
        </p>
        <p>{wordsFor(token).what}</p>
      </Confirm>
    ) : (
      <Confirm
        title={tokenWords.rotateTitle(token.name)}
        action={tokenWords.rotateAction}
        isHarmless
        onConfirm={() => rotate(token)}
        onClose={close}
      >
        {isFull ? (
          <p>{tokenWords.rotateFull}</p>
        ) : (
          <SelectField
            label={tokenWords.rotateWhat}
            value={overlap}
            onChange={({ target }) => setOverlap(Number(target.value))}
          >
            {overlaps.map((hours) => (
              <option key={hours} value={hours}>
                {tokenWords.overlaps[hours]}
              </option>
            ))}
          </SelectField>
        )}
      </Confirm>
    );

  const buttons = (token: ServiceToken, look: string) => (
    <>
      {token.revoked_at === null && token.client === null ? (
        <button
          type="button"
          className={look}
          aria-label={`${tokenWords.rotate} ${token.name}`}
          onClick={() => {
            setOverlap(standardOverlap);
            setQuestion({ kind: "rotate", token });
          }}
        >
          {tokenWords.rotate}
        </button>
      ) : null}
      <button
        type="button"
        className={look}
        aria-label={`${wordsFor(token).button} ${token.name}`}
        onClick={() => setQuestion({ kind: "revoke", token })}
      >
        {wordsFor(token).button}
      </button>
    </>
  );

  return {
    buttonsFor: (token) => buttons(token, "button button-small"),
    menuFor: (token) => (
      <Menu label={tokenWords.actionsFor(token.name)} button={<MoreIcon />}>
        {buttons(token, "menu-button w-full")}
      </Menu>
    ),
    dialog: question && dialogFor(question),
    revealed:
      created === null ? null : (
        <Reveal title={revealWords.rotatedTitle(created.name)} created={created} onDone={forget} />
      ),
  };
}

/** A token made by hand is revoked, an app is disconnected: it asks again, so it cannot be rotated. */
function wordsFor({ client, name }: ServiceToken) {
  return client === null
    ? {
        button: tokenWords.revoke,
        title: tokenWords.revokeTitle(name),
        action: tokenWords.revokeAction,
        what: tokenWords.revokeWhat,
        done: tokenWords.revoked(name),
      }
    : {
        button: appWords.disconnect,
        title: appWords.disconnectTitle(name),
        action: appWords.disconnectAction,
        what: appWords.disconnectWhat,
        done: appWords.disconnected(name),
      };
}

function LastUse({ token: { last_used_at } }: { token: ServiceToken }) {
  return last_used_at === null ? (
    tokenWords.neverUsed
  ) : (
    <>
      {tokenWords.lastUsed} <Time value={last_used_at} />.
    </>
  );
}
