// The head of a page, and the buttons that rows of the control table name for it.
import { CONTROL_IDS, controlRow } from '../mock/control/operations.ts';
import type { Context } from './context.ts';
import { ActionButton, PageForm } from './fields.tsx';
import { type Action, type DashboardPage, makeCallAction } from './page.ts';
import { countWords, LinkButton, Muted } from './parts.tsx';

const CALL_BUTTONS = CONTROL_IDS.flatMap((id) => {
  const { button } = controlRow(id);
  return button ? [{ ...button, id, action: button.label.toLowerCase() }] : [];
});

/** The actions of a page, besides its own. */
export const callActionsOf = (page: string): Readonly<Record<string, Action>> =>
  Object.fromEntries(
    CALL_BUTTONS.filter((one) => one.page === page).map(({ id, action, says }) => [
      action,
      makeCallAction(id, (response) => says.replace(/\{(\w+)\}/g, (_, field) => String(response?.[field as never]))),
    ]),
  );

export const drawCallButtons = (context: Context, page: string, card?: string) =>
  CALL_BUTTONS.filter((one) => one.page === page && one.card === card).map(({ action, label }) => (
    <PageForm context={context} kind="inline" label={label}>
      <ActionButton action={action} says={label} />
    </PageForm>
  ));

/** All that came in so far, where that is recorded; without what had to be dropped. */
export const ReproButton = ({ context: { host, instance, base }, says = 'Repro file' }: { context: Context; says?: string }) => {
  const dropped = host.options.recording?.dropped?.(instance.id) ?? 0;
  return host.options.recording ? (
    <>
      <LinkButton to={`${base}/_mock/repro`} says={says} download="bug.wm.json" />
      {dropped > 0 ? <Muted>without the first {countWords(dropped, 'step')}</Muted> : null}
    </>
  ) : null;
};

export const PageHead = ({ context, page, shown }: { context: Context; page: DashboardPage; shown: unknown }) => {
  const says = page.says(context, shown);
  const side = [page.side?.(context, shown), ...drawCallButtons(context, page.id)].filter(Boolean);
  return (
    <div class="page-head" id="head" data-live="">
      <div>
        <h1>{page.heading?.(context, shown) ?? page.title}</h1>
        {says ? <p class="lead">{says}</p> : null}
      </div>
      {side.length > 0 ? <div class="actions">{side}</div> : null}
    </div>
  );
};
