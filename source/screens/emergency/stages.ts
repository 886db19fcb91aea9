import {goingFirst} from '../../firewall/rules/order.ts';
import type {TargetMatch} from '../../firewall/rules/targets.ts';
import {typed} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import {describeSameFilter, type EmergencyAction} from '../stepped-form/words.ts';
import {
	draftOf,
	type EmergencyState,
	findTargets,
	isTyping,
	listsOf,
	rulesIn,
	sameThere,
	wayOf,
} from './state.ts';

/** The ways between the stages of an emergency: nothing of it is sent here. */
export type EmergencyStages = {
	/** On to the next stage, if nothing stands against it; in the last one nothing. */
	next(): void;
	chooseAction(action: EmergencyAction): void;
	/** One stage back; stops what is being read. Returns `false` where only leaving is left. */
	back(): boolean;
	/** Before all other rules, by a priority, or as it comes. */
	changeOrder(): void;
};

/** The part of the form that the stages need. */
type Form = {
	change(id: number, part: Partial<EmergencyState>): void;
	isSendable(emergency: EmergencyState): boolean;
};

export function createEmergencyStages(
	set: Parameters<Slice<unknown>>[0],
	get: () => LedgeState,
	{change, isSendable}: Form,
	/** Shows what would be sent, which has to be read first where it is a custom rule. */
	toSend: (emergency: EmergencyState) => unknown,
): {
	stages: EmergencyStages;
	onInWizard(emergency: EmergencyState, filterId: string): void;
} {
	function leaveExpression(emergency: EmergencyState) {
		const {id} = emergency;
		const targets = findTargets(emergency);
		if (targets?.kind === 'both') return askMatch(emergency, targets);
		if (targets) return leaveWith(emergency, targets.expression);
		if (!isSendable(emergency)) return;
		const there = sameThere(emergency, get().firewall.data);
		if (!there) return change(id, {stage: 'action'});
		const same = describeSameFilter(
			there,
			expressionOf(emergency.editing),
			listsOf(emergency, get().firewall.data)?.rules ?? [],
		);
		get().dialog.open({
			kind: 'choice',
			title: same.title,
			lines: [
				...same.lines,
				same.isExact
					? 'The service refuses a second one; rules can share a filter.'
					: 'Rules can share a filter.',
			],
			choices: [
				{value: 'use', label: `Make the rule on that filter, with ${emergency.action} (rule wizard)`},
				{value: 'change', label: 'Change the expression'},
				...(same.isExact ? [] : [{value: 'own', label: 'Make a filter of its own, as it is written here'}]),
				{value: 'again', label: 'Refresh the lists'},
			],
			choose(value) {
				if (value === 'use') onInWizard(emergency, there.id);
				if (value === 'own') change(id, {stage: 'action'});
				if (value === 'again') void readAgain(id);
			},
		});
	}

	function leaveWith(emergency: EmergencyState, expression: string) {
		const editing = editingOf(expression, emergency.zone);
		change(emergency.id, {editing});
		leaveExpression({...emergency, editing});
	}

	/** Addresses and paths together mean two things: asks which. */
	function askMatch({id}: EmergencyState, {all, any}: Readonly<Record<TargetMatch, string>>) {
		get().dialog.open({
			kind: 'choice',
			title: 'Match both, or either?',
			lines: [`Both: ${all}`, `Either: ${any}`],
			choices: [
				{value: 'all', label: 'Block these sources on these paths only'},
				{value: 'any', label: 'Block these sources everywhere, and these paths for everyone'},
				{value: 'change', label: 'Back to the expression'},
			],
			choose(value) {
				const emergency = get().emergency.data;
				if (emergency?.id !== id || !isTyping(emergency) || value === 'change') return;
				leaveWith(emergency, value === 'all' ? all : any);
			},
		});
	}

	/** Refreshes the lists, and continues with them. */
	async function readAgain(id: number) {
		const isRead = await get().work.run('reading the rules', 'read', signal => get().firewall.load(signal));
		const emergency = get().emergency.data;
		const {stack} = get().navigation;
		if (isRead && emergency?.id === id && stack.at(-1) === 'emergency' && isTyping(emergency))
			leaveExpression(emergency);
	}

	/** On with the two-call way and a filter that is there, up to its review: the action is kept. */
	function onInWizard(emergency: EmergencyState, filterId: string) {
		const {zone, editing} = emergency;
		if (get().firewall.data?.zone.id !== zone.id) {
			get().firewall.open(zone);
			void get().work.run('reading the rules', 'background', signal => get().firewall.load(signal));
		}
		const known = get().firewall.data?.filters.find(({id}) => id === filterId);
		const filter = known ?? {id: filterId, expression: expressionOf(editing), paused: false};
		get().wizard.begin({kind: 'new rule', filter});
		const wizard = get().wizard.data;
		const isIt = wizard?.phase.name === 'asking' && wizard.filter?.id === filterId;
		if (!isIt) return;
		set({data: undefined});
		if (get().navigation.stack.at(-1) === 'emergency') get().navigation.back();
		get().navigation.go('wizard');
		const {action, priority} = draftOf(emergency);
		get().wizard.nextStep();
		get().wizard.chooseAction(action);
		if (priority != null) get().wizard.type(typed(String(priority)));
		get().wizard.nextStep();
	}

	const stages: EmergencyStages = {
		next() {
			const emergency = get().emergency.data;
			if (emergency?.phase.name !== 'asking') return;
			if (emergency.stage === 'expression') leaveExpression(emergency);
			else if (emergency.stage === 'action') toSend(emergency);
		},
		chooseAction(action) {
			const emergency = get().emergency.data;
			if (emergency?.stage === 'action' && emergency.phase.name === 'asking') toSend({...emergency, action});
		},
		back() {
			const emergency = get().emergency.data;
			if (!emergency) return false;
			const {id, phase, stage, way} = emergency;
			switch (phase.name) {
				case 'reading':
					get().work.cancelReads();
					if (phase.after.name === 'asking') change(id, {phase: phase.after, stage: 'action'});
					return true;
				case 'sending':
					return false;
				case 'ended': {
					const {state} = phase.ending;
					if (state !== 'nothing' && state !== 'duplicate') return false;
					const before = state === 'nothing' ? 'action' : 'expression';
					change(id, {phase: {name: 'asking'}, stage: before, way: wayOf(way.form)});
					return true;
				}
				case 'asking':
					if (stage === 'expression') return false;
					change(id, {stage: stage === 'send' ? 'action' : 'expression', way: wayOf(way.form), top: 0});
					return true;
				default:
					return phase satisfies never;
			}
		},
		changeOrder() {
			const emergency = get().emergency.data;
			if (emergency?.stage !== 'send' || emergency.phase.name !== 'asking') return;
			if (emergency.order !== 'as it comes') return change(emergency.id, {order: 'as it comes'});
			const {priority, isFirst, sentence} = goingFirst(rulesIn(emergency, get().firewall.data));
			change(emergency.id, {order: {first: priority}});
			if (!isFirst) get().messages.warn(sentence);
		},
	};
	return {stages, onInWizard};
}
