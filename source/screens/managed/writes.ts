import {Failure} from '../../failure.ts';
import {managedChangeSentence} from '../../managed/change-words.ts';
import {configurationOf, type InForce} from '../../managed/in-force.ts';
import {hindranceOf, type Proposal, propose, sendProposal} from '../../managed/proposal.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import {
	createRulesetWrites,
	type RulesetPlan,
	type RulesetWrite,
	type RulesetWrites,
} from '../rulesets/writes.ts';
import type {ManagedState} from './state.ts';

export type ManagedWrites = RulesetWrites<ManagedState> & {
	/** Returns the change that the review shows. */
	getReviewed(): RulesetWrite<ManagedState> | undefined;
};

/** The writes of managed rules. */
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

	function planOf(proposal: Proposal): RulesetPlan {
		const {zone, inForce} = open();
		return {
			zone,
			ruleset: inForce.ruleset,
			reasons: proposal.reductions,
			obstacle: hindranceOf(inForce, proposal),
			send:
				proposal.edit &&
				((client, name, signal) => sendProposal(client, inForce, proposal, {zone: name}, {signal})),
		};
	}

	const writes = createRulesetWrites<ManagedState>(get, session, {
		called: 'managed rules',
		screen: 'managed',
		read() {
			const managed = get().managed.data;
			return managed && {...managed, ruleset: managed.inForce?.ruleset};
		},
		plan(rules) {
			const {inForce} = open();
			const {ruleset} = inForce;
			const {rules: wanted} = configurationOf(ruleset && {...ruleset, rules});
			return planOf(propose(inForce, {...configurationOf(ruleset), rules: wanted}));
		},
		sentence: managedChangeSentence,
		show: (zone, now, rest) =>
			void get().managed.show(zone, now, {obstacle: undefined, step: 'rules', top: 0, ...rest}, true),
		showChanged(zone, now) {
			const lost = get().managed.show(zone, now, {top: 0}, false);
			if (lost.length > 0)
				return `Dropped, because someone else changed these rules: ${lost.join(' ')} Review the rest, and send it again.`;
			return get().managed.data?.proposal
				? 'Your changes now apply to the current rules: review them, and send them again.'
				: 'The rules are already as you wanted.';
		},
		showFailure(zone, obstacle) {
			const managed = get().managed.data;
			if (managed?.zone.id === zone && managed.step === 'review' && obstacle.code !== 'interrupted')
				set({data: {...managed, obstacle}});
		},
		load: signal => get().managed.load(signal),
		markStale: () => get().managed.markStale(),
	});

	return {
		...writes,
		getReviewed() {
			const {proposal} = get().managed.data ?? {};
			return (
				proposal && {
					plan: planOf(proposal),
					label: 'changing managed rules',
					what: `change managed rules (${counted(proposal.differences.length, 'difference')})`,
					done: ({version}) => `Changed managed rules, version ${version}.`,
					unknown: 'whether the managed rules were changed',
					rest: {edits: []},
				}
			);
		},
	};
};
