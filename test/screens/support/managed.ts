import {setImmediate as turn} from 'node:timers/promises';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createBuffer} from '../../../source/text/buffer/buffer.ts';
import {callRulesetsAsOther, migratedSampleZone} from './custom-rules.ts';
import {createTestApp} from './drawn.tsx';
import {createTestStore, type TestStore} from './store.ts';

const buildKey = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

type ActiveRuleset = {readonly id: string; readonly version: string; readonly rules: readonly RulesetRule[]};

/** The managed rules as the service has them. */
export const readManagedRulesAtService = (testStore: Pick<TestStore, 'simulator'>): Promise<ActiveRuleset> =>
	callRulesetsAsOther<ActiveRuleset>(testStore, 'GET', '/phases/http_request_firewall_managed/entrypoint');

/** Opens the active managed rules of a zone; returns what a person does there. */
export async function atManaged(testStore = createTestStore(), zone: ZoneWithLabel = migratedSampleZone) {
	const {state} = testStore;
	state().managed.open(zone);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, buildKey(name));
	};
	const managed = () => {
		const loadedState = state().managed.data;
		if (!loadedState) throw new Error('No zone is open.');
		return loadedState;
	};
	/** Waits until nothing is under way, and the result is shown. */
	const waitUntilIdle = async () => {
		await testStore.until(({work: {list: work}}) => work.length === 0);
		await turn();
	};
	return {
		testStore,
		app,
		press,
		managed,
		state,
		idle: waitUntilIdle,
		getMessageText: () => state().messages.latest?.text ?? '',
		/** Answers one question after the other; choices by their values. */
		answer(...answerTexts: readonly string[]) {
			for (const answerText of answerTexts) {
				const dialog = state().dialog.current;
				if (dialog?.kind === 'choice') {
					if (!dialog.choices.some(({value}) => value === answerText))
						throw new Error(
							`"${answerText}" is not one of ${dialog.choices.map(({value}) => value).join(', ')}.`,
						);
					state().dialog.close();
					dialog.choose(answerText);
				} else if (dialog?.kind === 'field') {
					state().dialog.open({...dialog, buffer: createBuffer(answerText, {singleLine: true})});
					state().dialog.submit();
				} else throw new Error(`"${answerText}" answers nothing.`);
			}
		},
		/** Opens the review, and sends the changes once it counts as read. */
		send() {
			if (managed().step !== 'review') press('enter');
			testStore.advanceClock(minReviewMs);
			press('y');
		},
	};
}

/** The dialog in front, which has to be of a kind. */
export function getDialog<Kind extends Dialog['kind']>(
	{state}: Pick<TestStore, 'state'>,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	if (dialog?.kind !== kind) throw new Error(`There is no ${kind}, but ${dialog?.kind}.`);
	return dialog as Extract<Dialog, {kind: Kind}>;
}
