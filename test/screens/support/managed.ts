import {setImmediate as turn} from 'node:timers/promises';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {ZoneWithLabel} from '../../../source/screens/firewall/state.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createBuffer} from '../../../source/text/buffer/buffer.ts';
import {byOthers, migrated} from './custom-rules.ts';
import {appOf} from './drawn.tsx';
import {createTestStore, type TestStore} from './store.ts';

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

type Live = {readonly id: string; readonly version: string; readonly rules: readonly RulesetRule[]};

/** The managed rules as the service has them. */
export const managedAtService = (space: Pick<TestStore, 'simulator'>): Promise<Live> =>
	byOthers<Live>(space, 'GET', '/phases/http_request_firewall_managed/entrypoint');

/** A person at the managed rules in force of a zone, the migrated one unless another is named. */
export async function atManaged(space = createTestStore(), zone: ZoneWithLabel = migrated) {
	const {state} = space;
	state().managed.open(zone);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
	const app = appOf(space);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	const managed = () => {
		const now = state().managed.data;
		if (!now) throw new Error('No zone is open.');
		return now;
	};
	/** Ends when nothing is under way, and what became of it is shown. */
	const idle = async () => {
		await space.until(({work: {list: work}}) => work.length === 0);
		await turn();
	};
	return {
		space,
		app,
		press,
		managed,
		state,
		idle,
		said: () => state().messages.latest?.text ?? '',
		/** Answers one question after the other; `choices` by their values. */
		answers(...given: readonly string[]) {
			for (const one of given) {
				const dialog = state().dialog.current;
				if (dialog?.kind === 'choice') {
					if (!dialog.choices.some(({value}) => value === one))
						throw new Error(`"${one}" is not one of ${dialog.choices.map(({value}) => value).join(', ')}.`);
					state().dialog.close();
					dialog.choose(one);
				} else if (dialog?.kind === 'field') {
					state().dialog.open({...dialog, buffer: createBuffer(one, {singleLine: true})});
					state().dialog.submit();
				} else throw new Error(`"${one}" answers nothing.`);
			}
		},
		/** Opens the review, and sends it once it was looked at. */
		send() {
			if (managed().step !== 'review') press('enter');
			space.passes(minReviewMs);
			press('enter');
		},
	};
}

/** The dialog in front, which has to be of a kind. */
export function dialogOf<Kind extends Dialog['kind']>(
	{state}: Pick<TestStore, 'state'>,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	if (dialog?.kind !== kind) throw new Error(`There is no ${kind}, but ${dialog?.kind}.`);
	return dialog as Extract<Dialog, {kind: Kind}>;
}
