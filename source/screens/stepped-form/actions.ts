import {type Key, pressed} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, belongingTo} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {
	alwaysActions,
	backOrLeave,
	copyAction,
	detailsAction,
	type Form,
	failureIn,
	stopAction,
} from '../shell/form-actions.ts';
import {menuKeys, toMenu} from '../shell/menu.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from '../shell/scrolling.ts';
import {refuseUnfinished} from '../write-flow/curl.ts';
import type {SteppedForm} from './engine.ts';
import type {SteppedScreen} from './state.ts';

type Extent = {readonly last: number; readonly room: number};

/** What distinguishes the keys of one form from those of another. */
type FormKeys = {
	readonly form: Form<SteppedScreen>;
	of(state: LedgeState): SteppedForm;
	/** Which of its parts is on the screen. */
	partOf(state: LedgeState): string | undefined;
	/** The part that shows the requests. */
	readonly last: string;
	extent(state: LedgeState): Extent;
	/** Goes to the next step. */
	next(state: LedgeState): void;
	/** A key that types; returns whether it means anything. */
	type(state: LedgeState, key: Key): boolean;
	/** Goes back one step; returns whether there was one. */
	back(state: LedgeState): boolean;
	/** What is put on the clipboard. */
	copied(state: LedgeState): string | undefined;
	/** Why the requests cannot be sent. */
	obstacle(state: LedgeState): string | undefined;
	/** The keys that only this form has. */
	readonly own: readonly Action[];
};

/** The keys of a form with steps. Where text is typed, letters are text. */
export function formActions(keys: FormKeys): readonly Action[] {
	const {form, of, partOf, last, extent} = keys;
	const {name, group, typing, choosing} = form;
	const isAt = belongingTo(partOf);
	const inText = actionsOf(group, typing);
	const inMenu = actionsOf(group, choosing);
	const isHere = isAt('expression');
	const scrolls = scrollActions(
		{id: name, group, where: choosing, isHere: isAt(last)},
		extent,
		(state, by, end) => of(state).scroll(by, end),
	);

	/** Goes on; but text that was pasted goes on to no step, where the terminal does not mark pastes. */
	function enter({state}: App, key: Key) {
		switch (key.pasted) {
			case undefined:
				return keys.next(state());
			case 'inside':
				return void keys.type(state(), pressed('alt-enter', ''));
			case 'at the end':
				return state().messages.warn(
					'That enter came in one go with the text, as in a paste: press it once more.',
				);
			default:
				return key.pasted satisfies never;
		}
	}

	const back = (app: App): void =>
		backOrLeave(app, {
			noun: form.noun,
			back: () => keys.back(app.state()),
			lost: () => of(app.state()).lost(),
			leave: () => of(app.state()).leave(),
			discard: () => of(app.state()).discard(),
		});

	return [
		inText(`${name}.take`, ['tab'], 'take the completion, or the correction of the problem', {
			hint: 'complete',
			isHere,
			run: ({state}) => of(state()).complete(),
		}),
		...keys.own.filter(({where}) => where === typing),
		inText(`${name}.next`, ['enter'], 'next step', {hint: 'next', run: enter}),
		inText(`${name}.format`, ['ctrl-f'], 'write the expression in its canonical form', {
			hint: 'format',
			isHere,
			run: ({state}) => of(state()).format(),
		}),
		inText(`${name}.problem`, ['ctrl-t'], 'go to the next problem of the expression', {
			isHere,
			run: ({state}) => of(state()).toNextProblem(),
		}),
		inMenu(`${name}.choose`, menuKeys, 'move in the choices, and choose', {
			hint: 'choose',
			isHere: isAt('action', 'ended'),
			run: toMenu,
		}),
		...keys.own.filter(({where}) => where !== typing),
		inMenu(`${name}.requests`, ['r'], 'switch between the requests and curl lines', {
			hint: 'curl',
			isHere: isAt(last),
			run: ({state}) => of(state()).toggleView(),
		}),
		copyAction(form, 'copy the requests as curl lines, or the command to continue', keys.copied, state =>
			isAt(last)(state) ? refuseUnfinished(keys.obstacle(state)) : undefined,
		),
		stopAction(form, isAt('sending'), state => of(state).cancel()),
		scrolls('page-down', ['space', 'pagedown'], 'one page down', pageDown, 'more'),
		scrolls('page-up', ['pageup'], 'one page up', pageUp),
		scrolls('line-down', ['down', 'j'], 'one row down', lineDown),
		scrolls('line-up', ['up', 'k'], 'one row up', lineUp),
		scrolls('first', ['g', 'home'], 'to the first row', toFirst),
		scrolls('last', ['G', 'end'], 'to the last row', toLast),
		inMenu(`${name}.back`, ['esc'], 'back one step; from the first one, leave', {
			hint: 'back',
			words: ['go back'],
			where: [...typing, ...choosing],
			run: back,
		}),
		detailsAction(form, 'details', state => failureIn(state[form.name].data)),
		...alwaysActions(form),
	];
}
