import {Failure} from '../../failure.ts';
import {describeManagedChange} from '../../managed/change-words.ts';
import {
	findProposalBlocker,
	type ManagedProposal,
	proposeConfiguration,
	sendProposal,
} from '../../managed/proposal.ts';
import {type ManagedRulesState, toConfiguration} from '../../managed/state.ts';
import {
	collectManagedRuleNames,
	describeConfiguredRule,
} from '../../migration/configuration/difference-words.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {
	createRulesetWrites,
	type RulesetPlan,
	type RulesetWrite,
	type RulesetWrites,
} from '../rulesets/writes.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ManagedState} from './state.ts';

export type ManagedWrites = RulesetWrites<ManagedState> & {
	/** Returns the change that the review shows. */
	getReviewedChange(): RulesetWrite<ManagedState> | undefined;
};

/** The writes of managed rules. */
export const createManagedWrites: Slice<ManagedWrites, {readonly data: ManagedState | undefined}> = (
	set,
	get,
	{session},
) => {
	function getLoadedManaged(): ManagedState & {readonly activeRules: ManagedRulesState} {
		const managed = get().managed.data;
		if (!managed?.activeRules) throw new Failure('internal', 'The managed rules were not read.');
		return {...managed, activeRules: managed.activeRules};
	}

	function buildManagedPlan(proposal: ManagedProposal): RulesetPlan {
		const {zone, activeRules} = getLoadedManaged();
		return {
			zone,
			ruleset: activeRules.ruleset,
			zoneNameReasons: proposal.reductions,
			obstacle: findProposalBlocker(activeRules, proposal),
			send:
				proposal.edit &&
				((client, typedZoneName, signal) =>
					sendProposal(client, activeRules, proposal, {zoneName: typedZoneName}, {signal})),
		};
	}

	const writes = createRulesetWrites<ManagedState>(get, session, {
		rulesNoun: 'managed rules',
		screenName: 'managed',
		getOpenedRules() {
			const managed = get().managed.data;
			return managed && {...managed, ruleset: managed.activeRules?.ruleset};
		},
		plan(rules) {
			const {activeRules} = getLoadedManaged();
			const {ruleset} = activeRules;
			const {rules: newRules} = toConfiguration(ruleset && {...ruleset, rules});
			return buildManagedPlan(
				proposeConfiguration(
					activeRules,
					{...toConfiguration(ruleset), rules: newRules},
					{allowUnknown: true},
				),
			);
		},
		describeChange: (change, when) =>
			describeManagedChange(
				change,
				when,
				collectManagedRuleNames(get().managed.data?.activeRules?.catalogue),
			),
		describeRule: describeConfiguredRule,
		show(zoneId, current, otherState) {
			const origin = get().managed.data?.step === 'review' ? get().managed.data?.reviewOrigin : undefined;
			get().managed.show(
				zoneId,
				current,
				{obstacle: undefined, step: 'rules', top: 0, reviewOrigin: undefined, ...otherState},
				true,
			);
			if (origin && getCurrentScreen(get()) === 'managed') get().navigation.go(origin);
		},
		showConcurrentChange(zoneId, current) {
			const hadProposal = get().managed.data?.proposal !== undefined;
			const droppedEdits = get().managed.show(zoneId, current, {top: 0}, false);
			if (droppedEdits.length > 0)
				return `Dropped because someone else changed these rules: ${droppedEdits.join(' ')} Review the rest and send again.`;
			if (get().managed.data?.proposal)
				return 'Your changes now apply to the current rules: review them and send again.';
			return hadProposal
				? 'The rules already match your changes.'
				: 'The current rules are shown: try again if it is still wanted.';
		},
		showFailure(zoneId, obstacle) {
			const managed = get().managed.data;
			if (managed?.zone.id === zoneId && managed.step === 'review' && obstacle.code !== 'interrupted')
				set({data: {...managed, obstacle}});
		},
		load: signal => get().managed.load(signal),
		markStale: () => get().managed.markStale(),
	});

	return {
		...writes,
		getReviewedChange() {
			const {proposal} = get().managed.data ?? {};
			return (
				proposal && {
					plan: buildManagedPlan(proposal),
					label: 'changing managed rules',
					auditLabel: `change managed rules (${formatQuantity(proposal.differences.length, 'difference')})`,
					describeEffect: ({version}) => `Changed managed rules, version ${version}.`,
					unknownOutcome: 'whether the managed rules were changed',
					otherState: {edits: []},
				}
			);
		},
	};
};
