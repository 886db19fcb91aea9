import {asFailure, Failure} from '../../failure.ts';
import {managedChangeSentence} from '../../managed/change-words.ts';
import {configurationOf, type InForce} from '../../managed/in-force.ts';
import {hindranceOf, type Proposal, propose, sendProposal} from '../../managed/proposal.ts';
import {restored} from '../../rulesets/edit-to.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import {type RulesetList, type RulesetWrite, writeRuleset} from '../rulesets/writing.ts';
import {askForZoneName} from '../shell/zone-name.ts';
import type {ManagedState} from './state.ts';

/** An earlier state of the rules. */
type Earlier = Pick<Ruleset, 'rules' | 'version'>;

/** What is written of the managed rules, each with one call. `zone` is its name as it was typed, where that is needed. */
export type ManagedWrites = {
	/** Sends what the review shows. */
	send(zone: string | undefined, signal: AbortSignal): Promise<void>;
	/** What it would change to have rules of an earlier state in force again, all of them or those of these ids. */
	toRestoration(earlier: Earlier, only?: ReadonlySet<string>): Proposal | undefined;
	/** Puts them in force again. */
	restore(
		earlier: Earlier,
		only: ReadonlySet<string> | undefined,
		zone: string | undefined,
		signal: AbortSignal,
	): Promise<void>;
};

export const createManagedWrites: Slice<ManagedWrites, {readonly data: ManagedState | undefined}> = (
	set,
	get,
	{session},
) => {
	function open(): ManagedState & {readonly inForce: InForce} {
		const managed = get().managed.data;
		if (!managed?.inForce) throw new Failure('internal', 'The managed rules were not read.');
		return {...managed, inForce: managed.inForce};
	}

	const list: RulesetList = {
		called: 'managed rules',
		screen: 'managed',
		subject: {kind: 'managed rules'},
		open() {
			const managed = get().managed.data;
			return managed && {zone: managed.zone, ruleset: managed.inForce?.ruleset};
		},
		showChanged(zone, now) {
			const lost = get().managed.show(zone.id, now, {top: 0}, false);
			if (lost.length > 0)
				return `Dropped, because someone else changed these rules: ${lost.join(' ')} Review the rest, and send it again.`;
			return get().managed.data?.proposal
				? 'Your changes now apply to the current rules: review them, and send them again.'
				: 'The rules are already as you wanted.';
		},
		read: signal => get().managed.load(signal),
		isStale: () => get().managed.markStale(),
		sentence: managedChangeSentence,
		async restore(then, only, signal) {
			const {zone} = open();
			const proposal = get().managed.toRestoration(then, only);
			if (!proposal || proposal.reductions.length === 0)
				return get().managed.restore(then, only, undefined, signal);
			askForZoneName(get(), zone, {reasons: proposal.reductions, does: 'restore it'}, name =>
				get().work.run(
					'restoring managed rules',
					'write',
					within => get().managed.restore(then, only, name, within),
					{kind: 'managed rules'},
				),
			);
		},
	};

	async function make(
		{
			what,
			proposal,
			done,
			rest,
		}: {
			readonly what: string;
			readonly proposal: Proposal;
			readonly done: (now: Ruleset) => string;
			/** What becomes of the edits that are not sent. */
			readonly rest: Partial<ManagedState>;
		},
		zone: string | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const {inForce, zone: here} = open();
		session.refuseWhenReadOnly(what);
		const hindrance = hindranceOf(inForce, proposal);
		if (hindrance) throw hindrance;
		if (!proposal.edit) return get().messages.say('Nothing differs, so nothing was sent.');
		const rules = inForce.ruleset?.rules ?? [];
		const write: RulesetWrite = {
			what,
			send: client => sendProposal(client, inForce, proposal, {zone}, {signal}),
			show(now) {
				const sentence = done(now);
				const undo = {done: sentence, rules, version: now.version};
				get().managed.show(here.id, now, {undo, obstacle: undefined, ...rest}, true);
				return sentence;
			},
			unknown: 'whether the managed rules were changed',
		};
		try {
			await writeRuleset(get, session, list, write, signal);
		} catch (error) {
			const obstacle = asFailure(error);
			const managed = get().managed.data;
			if (managed?.zone.id === here.id && managed.step === 'review' && obstacle.code !== 'interrupted')
				set({data: {...managed, obstacle}});
			throw obstacle;
		}
	}

	return {
		send(zone, signal) {
			const {proposal} = open();
			if (!proposal) return Promise.resolve();
			const changed = counted(proposal.differences.length, 'difference');
			return make(
				{
					what: `change managed rules (${changed})`,
					proposal,
					done: ({version}) => `Managed rules changed: version ${version} is in force.`,
					rest: {edits: [], step: 'rules', top: 0},
				},
				zone,
				signal,
			);
		},
		toRestoration({rules}, only) {
			const {inForce} = open();
			const now = inForce.ruleset?.rules ?? [];
			const {ruleset} = inForce;
			const wanted = restored(now, rules, only);
			return propose(inForce, {
				...configurationOf(ruleset),
				rules: configurationOf(ruleset && {...ruleset, rules: wanted}).rules,
			});
		},
		restore(earlier, only, zone, signal) {
			const proposal = get().managed.toRestoration(earlier, only);
			if (!proposal) return Promise.resolve();
			return make(
				{
					what: `restore version ${earlier.version} of the managed rules`,
					proposal,
					done: ({version}) => `Restored version ${earlier.version}, which is version ${version} now.`,
					rest: {step: 'rules', top: 0},
				},
				zone,
				signal,
			);
		},
	};
};
