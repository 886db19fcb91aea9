import {Failure} from '../../failure.ts';
import {type Meanwhile, meanwhileSections, type RulesetOutcome} from '../../rulesets/change.ts';
import type {RuleChange} from '../../rulesets/difference.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {Session} from '../../session/session.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {placeOf} from '../firewall/writes.ts';
import {type Screen, screenOf} from '../shell/screen-name.ts';
import type {WorkSubject} from '../shell/work-slice.ts';

/** A list of the rules of a phase, and what it shows after a write. */
export type RulesetList = {
	/** Its rules in a sentence: "custom rules". */
	readonly called: string;
	/** Where `u` undoes its last write. */
	readonly screen: Screen;
	readonly subject: WorkSubject;
	/** The zone in it, and the entry point that was read. */
	open(): {readonly zone: OpenedZone; readonly ruleset: Ruleset | undefined} | undefined;
	/** Shows what someone else has written since it was read; what to do then. */
	showChanged(zone: OpenedZone, now: Ruleset | undefined): string;
	read(signal: AbortSignal): Promise<void>;
	/** What is shown may be outdated. */
	isStale(): void;
	/** What others did to a rule; without it, in the words of any rule. */
	sentence?(change: RuleChange): string;
	/** Puts rules of an earlier version in force again, those of these ids. */
	restore(then: Ruleset, only: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
};

/** One write of the rules of a list. */
export type RulesetWrite = {
	/** How the audit log calls it. */
	readonly what: string;
	send(client: Client): Promise<RulesetOutcome>;
	/** Shows the rules as they are then; returns what was done, as a sentence. */
	show(now: Ruleset): string;
	/** What is not known when its answer is lost: "whether the rule is paused". */
	readonly unknown: string;
};

/**
 * Makes one write of the rules in front and shows what became of it; what others did at the same time is shown, and what of
 * it was overwritten is offered back. Asks in production. Fails with why nothing was written, or that this is unknown.
 */
export async function writeRuleset(
	get: () => LedgeState,
	session: Session,
	list: RulesetList,
	{what, send, show, unknown}: RulesetWrite,
	signal: AbortSignal,
): Promise<void> {
	const {zone} = list.open() ?? {};
	if (!zone) throw new Failure('internal', 'No zone is open.');
	const place = await session.permit(placeOf(zone), what);
	const client = await session.client();
	const outcome = await session.audited(
		what,
		place,
		() => send(client),
		result => ('failure' in result ? result.failure : undefined),
	);
	const isOpen = () => list.open()?.zone.id === zone.id;
	switch (outcome.state) {
		case 'done': {
			const sentence = show(outcome.ruleset);
			const found = outcome.lost ? ' The answer was lost; reading the current state found it.' : '';
			const undo = screenOf(get()) === list.screen ? ' u undoes it.' : '';
			get().messages.say(`${sentence}${found}${undo}`);
			if (outcome.meanwhile) offerBack(get, session, list, outcome.meanwhile);
			return;
		}
		case 'changed meanwhile':
			throw outcome.failure.with({next: list.showChanged(zone, outcome.now)});
		case 'nothing':
			if (!signal.aborted && isOpen()) await list.read(signal).catch(() => list.isStale());
			throw outcome.failure;
		case 'unsure':
			if (isOpen()) list.isStale();
			throw new Failure(outcome.failure.code, `It is not known ${unknown}.`, {
				...outcome.failure.details,
				why: [outcome.failure.message, outcome.failure.details.why].filter(Boolean).join('\n'),
				next: 'ctrl-r reads the current rules.',
			});
		default:
			outcome satisfies never;
	}
}

/** What others did at the same time; what was overwritten of it is offered back. */
function offerBack(get: () => LedgeState, session: Session, list: RulesetList, meanwhile: Meanwhile): void {
	const {overwritten, version} = meanwhile;
	const ids = new Set(overwritten.flatMap(({rule}) => rule.id ?? []));
	const canRestore = version !== undefined && ids.size > 0;
	get().dialog.open({
		kind: 'choice',
		title: 'Someone else changed these rules',
		lines: meanwhileSections(meanwhile, list.sentence).flatMap(({title, changes}) => [title, ...changes]),
		choices: [
			...(canRestore ? [{value: 'restore', label: 'Restore what was overwritten'}] : []),
			{value: 'leave', label: 'Leave the rules as they are now'},
		],
		choose(value) {
			if (value !== 'restore' || version === undefined) return;
			const restore = async (signal: AbortSignal) => {
				const {rulesetVersion} = await import('../../rulesets/calls.ts');
				const {zone, ruleset} = list.open() ?? {};
				const client = await session.client();
				const then = zone && ruleset && (await rulesetVersion(client, zone.id, ruleset.id, version, signal));
				if (!then)
					throw new Failure('not_found', `The service has no version ${version} of these rules any longer.`);
				await list.restore(then, ids, signal);
			};
			void get().work.run(`restoring ${list.called}`, 'write', restore, list.subject);
		},
	});
}
