import {asFailure} from '../../failure.ts';
import {ownAddress} from '../../firewall/rules/emergency-check.ts';
import type {EmergencyBefore} from '../../firewall/rules/emergency-draft.ts';
import {findEmergencyReasons} from '../../firewall/rules/emergency-name.ts';
import type {Made} from '../../firewall/rules/emergency-undo.ts';
import {goingFirst} from '../../firewall/rules/order.ts';
import {permittedBefore} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {placeOf} from '../firewall/writes.ts';
import {wayTo} from '../stepped-form/elsewhere.ts';
import {createSteppedForm} from '../stepped-form/engine.ts';
import {asking} from '../stepped-form/state.ts';
import {choicesOf, doneStates, listedIn, listsChangedBy, sentenceOf, unmade} from './endings.ts';
import type {EmergencySlice} from './feature.ts';
import {isLost, lastWordsOf, leavingLines, leftSentence} from './leaving.ts';
import {describeWrite, type Sent} from './sending.ts';
import {createEmergencyStages} from './stages.ts';
import {
	beforeIn,
	beginning,
	type Doing,
	draftOf,
	type EmergencyState,
	type Ending,
	isTyping,
	madeIn,
	obstacleIn,
	type Phase,
	requestsOf,
	rulesIn,
	subjectOf,
	wayOf,
} from './state.ts';

/** The emergency screen: a filter and its rule in one call, or one custom rule where those are gone. */
export const createEmergencySlice: Slice<EmergencySlice> = (set, get, ports) => {
	const {session} = ports;
	let numbered = 0;
	const form = createSteppedForm<Doing, Ending, EmergencyState>(get, ports, {
		screen: 'emergency',
		noun: 'emergency',
		list: 'firewall',
		key: '!',
		read: () => get().emergency.data,
		show: emergency => set({data: emergency}),
		asks: ['phase', 'stage', 'order', 'way', 'top'],
		adjusted(next, part) {
			const isOther = ['stage', 'order', 'way', 'shows'].some(name => name in part);
			const seen = isOther ? next.top : Math.max(next.seen, next.top);
			return {...next, seen};
		},
		isTyping,
		isLost,
		leavingLines,
		leftSentence,
		lastWords: lastWordsOf,
		ended: (_, ending) => ({
			sentence: sentenceOf(ending),
			isDone: doneStates.has(ending.state),
			changes: listsChangedBy(ending),
			made: listedIn(ending),
		}),
		beforeLeaving: () => void get().work.cancelReads(),
	});
	const {change} = form;

	/** Reads something; esc stops it, and then it is as it was before. */
	async function reading(
		{id, phase}: EmergencyState,
		what: Extract<Phase, {name: 'reading'}>['what'],
		read: (signal: AbortSignal) => Promise<Partial<EmergencyState>>,
	): Promise<void> {
		change(id, {phase: {name: 'reading', what, after: phase}});
		let found: Partial<EmergencyState> | undefined;
		await get().work.run(`reading ${what}`, 'read', async signal => {
			found = await read(signal);
		});
		const emergency = get().emergency.data;
		if (emergency?.id !== id || emergency.phase.name !== 'reading') return;
		change(id, found ?? {phase});
	}

	/** Reads the custom rules that are there, and shows what would be sent. `isChosen`: there are firewall rules, too. */
	async function toCustomRule(emergency: EmergencyState, chosen = false): Promise<void> {
		const before = emergency.way.form === 'custom rule' && emergency.way.isChosen === true;
		const isChosen = chosen || before;
		const asking: EmergencyState = {
			...emergency,
			stage: 'send',
			phase: {name: 'asking'},
			way: {form: 'custom rule', plan: undefined, isChosen},
			top: 0,
		};
		change(emergency.id, asking);
		await reading(asking, 'the custom rules', async signal => {
			const {createCustomRule, planCustomRule} = await import(
				'../../firewall/rules/emergency-custom-rule.ts'
			);
			const client = await session.client();
			const plan = await planCustomRule(client, asking.zone, draftOf(asking), signal);
			const way = {form: 'custom rule', plan, isChosen} as const;
			if (!plan.already) return {phase: {name: 'asking'}, way};
			// It exists: nothing is sent.
			const there = await createCustomRule(client, asking.zone, plan, {signal});
			if (there.state !== 'created') throw there.failure;
			return {phase: {name: 'ended', ending: {...there, custom: true}, cursor: 0}, way};
		});
	}

	function toSend(emergency: EmergencyState) {
		if (emergency.way.form === 'custom rule') return void toCustomRule(emergency);
		const {action, order} = emergency;
		const first =
			order === 'as it comes'
				? {}
				: {order: {first: goingFirst(rulesIn(emergency, get().firewall.data)).priority}};
		change(emergency.id, {
			action,
			...first,
			stage: 'send',
			phase: {name: 'asking'},
			top: 0,
		});
	}

	const {stages, onInWizard} = createEmergencyStages(set, get, form, toSend);

	async function send(emergency: EmergencyState, label: string): Promise<void> {
		const {id, zone, action, way} = emergency;
		const subject = subjectOf(way.form);
		const what =
			way.form === 'custom rule' ? `emergency custom rule (${action})` : `emergency rule (${action})`;
		let uncounted: string | undefined;
		let gone = false;
		const work = async (signal: AbortSignal, onStep: (doing: Doing) => void): Promise<Sent> => {
			const place = await session.permit(placeOf(zone), what);
			const client = await session.client();
			const [{sent}, {beforeEmergency}, {emergencyFindings}] = await Promise.all([
				import('./sending.ts'),
				import('../../firewall/rules/emergency.ts'),
				import('../../firewall/rules/emergency-check.ts'),
			]);
			const draft = draftOf(emergency);
			const isRule = way.form === 'firewall rule';
			// What the lists show may be old: it counts only where nothing newer can be read in time.
			let before: EmergencyBefore | undefined;
			try {
				if (isRule)
					before =
						(await beforeEmergency(client, zone, draft, signal)) ?? beforeIn(emergency, get().firewall.data);
			} catch (error) {
				return {state: 'gone', failure: asFailure(error)};
			}
			const full =
				isRule && emergencyFindings(draft, zone, before?.rules).find(({about}) => about === 'quota');
			if (full && full.severity === 'error') return {state: 'nothing', failure: full.failure};
			if (full && before === undefined) uncounted = full.sentence;
			return session.auditedWrites(
				place,
				({sends, wrote}) => {
					sends(what);
					return sent(client, emergency, {signal, before, onStep, onWrite: wrote});
				},
				unmade,
			);
		};
		await form.send(emergency, {label, subject}, 'rule', work, done => {
			if (done.state === 'gone') gone = true;
			else form.finish(id, done);
			if (uncounted !== undefined && done.state !== 'nothing') get().messages.warn(uncounted);
		});
		const still = get().emergency.data;
		const {stack} = get().navigation;
		const {leaving} = get().bulk;
		if (!gone || still?.id !== id) return;
		if (stack.at(-1) === 'emergency') return toCustomRule(still);
		change(id, {...asking, stage: 'send', way: wayOf('custom rule'), top: 0});
		if (!leaving)
			get().messages.warn(
				`${wayTo({list: 'firewall', key: '!'}, zone, get())} shows the same as one custom rule. Not in force: ${zone.name} no longer has firewall rules (410).`,
			);
	}

	async function undo({id, ...emergency}: EmergencyState, made: Made, label: string): Promise<void> {
		const {zone} = emergency;
		const work = async (signal: AbortSignal, onStep: (doing: Doing) => void): Promise<Ending> => {
			const place = await session.permit(placeOf(zone), label);
			const client = await session.client();
			const [{undoEnding}, {undoEmergency}] = await Promise.all([
				import('./sending.ts'),
				import('../../firewall/rules/emergency-undo.ts'),
			]);
			return session.auditedWrites(
				place,
				async ({sends, wrote}) =>
					undoEnding(
						made,
						await undoEmergency(client, zone, made, {
							signal,
							onLook: () => onStep('looking'),
							onWrite: wrote,
							onSend: sends,
						}),
					),
				unmade,
			);
		};
		const subject = subjectOf(made.form);
		await form.send({id, ...emergency}, {label, subject}, 'undo', work, done => form.finish(id, done));
	}

	return {
		customRuleInstead() {
			const emergency = get().emergency.data;
			const isAsked = emergency?.stage === 'send' && emergency.phase.name === 'asking';
			if (isAsked) void toCustomRule(emergency, emergency.way.form === 'firewall rule');
		},
		async undo() {
			const emergency = get().emergency.data;
			if (emergency?.phase.name !== 'ended') return;
			const made = madeIn(emergency.phase.ending);
			const label = 'undoing the emergency';
			if (!made || !form.mayWrite(label) || !form.isLookedAt()) return;
			await undo(emergency, made, label);
		},
		...stages,
		data: undefined,
		forget: () => set({data: undefined}),
		form: form.actions,
		type: form.type,
		begin() {
			const firewall = get().firewall.data;
			const emergency = get().emergency.data;
			if (emergency?.phase.name === 'sending')
				return get().messages.warn('This is still being sent: another one can begin afterwards.');
			if (!firewall) return get().messages.warn('Choose a zone first.');
			if (emergency && emergency.zone.id === firewall.zone.id) {
				// It was sent, and turned out to be gone, while another screen was in front.
				const isUnread = emergency.stage === 'send' && emergency.phase.name === 'asking';
				if (isUnread && !requestsOf(emergency)) void toCustomRule(emergency);
				return;
			}
			if (isLost(emergency))
				return get().messages.warn('This one has not come to its end: leave it, and ! begins another one.');
			const isGone = firewall.reading === 'failed' && firewall.failure?.code === 'gone';
			form.comesUp();
			const way = isGone ? 'custom rule' : 'firewall rule';
			set({data: beginning(++numbered, firewall.zone, way, ownAddress(session.env))});
			if (firewall.reading === 'unread' || (firewall.reading === 'failed' && !isGone)) form.readLists();
		},
		resume(restore) {
			const emergency = get().emergency.data;
			form.comesUp();
			if (emergency) set({data: restore(emergency)});
		},
		async send() {
			const emergency = get().emergency.data;
			if (emergency?.stage !== 'send' || emergency.phase.name !== 'asking') return;
			const label = describeWrite(emergency);
			if (!form.mayWrite(label)) return;
			if (!requestsOf(emergency)) return toCustomRule(emergency);
			if (!form.isLookedAt()) return;
			const obstacle = obstacleIn(emergency, get().firewall.data);
			if (obstacle !== undefined) return get().messages.warn(obstacle);
			const reasons = findEmergencyReasons(emergency.zone, {after: draftOf(emergency)});
			await form.confirmed(emergency, reasons, () => send(emergency, label));
		},
		async decide(choice) {
			const emergency = get().emergency.data;
			if (emergency?.phase.name !== 'ended' || !form.isLookedAt()) return;
			if (!choicesOf(emergency).some(({does}) => does === choice.does)) return;
			const {id, phase} = emergency;
			const {ending} = phase;
			switch (choice.does) {
				case 'leave':
					// What was typed is in that filter, and in the command.
					return form.leaveChosen(emergency, ending.state === 'filter left');
				case 'change the expression':
					return change(id, {...asking, stage: 'expression', way: wayOf(emergency.way.form)});
				case 'back to the request': {
					// The lists were read while there was room.
					if (ending.state === 'filter left')
						await get().work.run('reading the rules', 'read', signal => get().firewall.load(signal));
					if (get().emergency.data?.id === id) toSend({...emergency, ...asking});
					return;
				}
				case 'use the filter': {
					if (ending.state === 'filter left') return onInWizard(emergency, ending.filter.id);
					if (ending.state === 'duplicate') return onInWizard(emergency, ending.filterId);
					return;
				}
				case 'undo':
					return get().emergency.undo();
				case 'look again': {
					if (ending.state !== 'unsure' && ending.state !== 'undo unsure') return;
					let seen: Ending | undefined;
					await reading(emergency, 'the current state', async signal => {
						const client = await session.client();
						seen = await session.auditedWrites(permittedBefore(placeOf(emergency.zone)), ({wrote}) =>
							ending.lookAgain(client, {signal, onWrite: wrote}),
						);
						return {phase: {name: 'ended', ending: seen, cursor: 0}};
					});
					if (!seen) return;
					form.finish(id, seen);
					return form.warnIfUnknown(id);
				}
				default:
					return choice.does satisfies never;
			}
		},
	};
};
