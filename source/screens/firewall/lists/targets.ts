import type {Rule} from '../../../firewall/rules/rule.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../../text/figures.ts';
import {hiddenMarksReason} from '../../list/list.ts';
import {getRulesBlockedReason} from '../../list/reading.ts';
import {createMarkActions} from '../../list/screen.ts';
import {getReadOnlyReason, withSelection} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import type {RuleSubject} from '../../shell/work-slice.ts';
import {
	areFirewallRulesRetired,
	firewallList,
	getMarkRefusal,
	listMarkedFirewallRules,
	listTargetRules,
} from '../list.ts';
import type {FirewallSlice} from '../slice.ts';
import type {FirewallState} from '../state.ts';
import type {WriteProgress} from '../write-runner.ts';

/** Explains why rules and filters cannot be changed here; undefined if they can. */
export function getFirewallBlockedReason(state: StateWith<'firewall' | 'connection'>): string | undefined {
	const firewall = state.firewall.data;
	if (getReadOnlyReason(state) === undefined && areFirewallRulesRetired(firewall))
		return 'the service has retired firewall rules; 3 shows the custom rules, ! still works';
	return getRulesBlockedReason(state, firewall);
}

type StateOfWrites = StateWith<'firewall' | 'connection'> & StateWith<'work', 'list'>;

/** Explains why these rules or filters cannot be changed; undefined if they can. Allows one write to each. */
export function getLockedReason(state: StateOfWrites, ids: readonly string[]): string | undefined {
	for (const {subject} of state.work.list)
		if (subject && 'ids' in subject && subject.ids.some(id => ids.includes(id)))
			return `still ${subject.activityLabel}`;
	return getFirewallBlockedReason(state);
}

/** Like `getLockedReason`, for the row under the cursor, or for the marked rules. */
export function getTargetLockedReason(state: StateOfWrites): string | undefined {
	const firewall = state.firewall.data;
	if (!firewall) return getFirewallBlockedReason(state);
	const targetRules = listTargetRules(firewall);
	if (targetRules.length === 0 && firewall.side === 'rules' && listMarkedFirewallRules(firewall).length > 0)
		return hiddenMarksReason;
	const row = firewallList.getSelected(firewall);
	const targets = firewall.side === 'rules' ? targetRules : row ? [row] : [];
	return getLockedReason(
		state,
		targets.map(({id}) => id),
	);
}

/** Handlers of an action on the marked rules or the rule under the cursor. */
export const withTargetRules = (
	execute: (app: App, rules: readonly Rule[], state: FirewallState) => void,
	missingReason: string,
): Pick<Action, 'getUnavailableReason' | 'run'> =>
	withSelection(
		({firewall: {data}}) => {
			const rules = data ? listTargetRules(data) : [];
			return rules.length > 0 ? rules : undefined;
		},
		missingReason,
		(app, rules) => {
			const firewall = app.state().firewall.data;
			if (firewall) execute(app, rules, firewall);
		},
		getTargetLockedReason,
	);

/** Starts the writes of an action. */
export type WriteStart = (
	firewall: FirewallSlice,
	signal: AbortSignal,
	progress: WriteProgress | undefined,
) => Promise<void>;

/**
 * Starts writes to rules or filters, and shows their progress. `verb`: "pausing". `skippedIds`: the rules that the
 * action was for and that need no write; they are no longer marked.
 */
export function runWrites(
	{state}: App,
	{kind, ids, skippedIds}: Pick<RuleSubject, 'kind' | 'ids'> & {readonly skippedIds?: readonly string[]},
	verb: string,
	write: WriteStart,
): void {
	if (skippedIds?.length) state().firewall.unmark(skippedIds);
	const [id] = ids;
	const activityLabel = ids.length === 1 ? `${verb} ${kind}` : `${verb} ${formatQuantity(ids.length, kind)}`;
	const label = ids.length === 1 ? `${activityLabel} ${id}` : activityLabel;
	const stopping = new AbortController();
	const run = state().work.run(
		label,
		'write',
		(signal, relabel) => {
			const progress: WriteProgress = {
				show: count => relabel(`${label}, ${formatInteger(count)} done`),
				isStopped: () => stopping.signal.aborted,
			};
			return write(state().firewall, signal, ids.length === 1 ? undefined : progress);
		},
		{
			kind,
			ids,
			activityLabel,
			...(ids.length > 1 && {
				async stop() {
					stopping.abort();
					await run;
				},
			}),
		},
	);
}

/** Puts the hint of an action on the marked rules before the others. */
export const putFirstIfMarked = ({firewall: {data}}: StateWith<'firewall'>): 'first' | undefined =>
	data && listMarkedFirewallRules(data).length > 0 ? 'first' : undefined;

/** The actions that mark rules, so that the next one is done with all of them. */
export const markActions: readonly Action[] = createMarkActions(firewallList, 'rule', {
	getHintPlace: putFirstIfMarked,
	isActive: ({firewall: {data}}) => data?.detail === undefined,
	getRefusal: getMarkRefusal,
});
