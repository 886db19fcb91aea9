import {type Key, pressed} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action, App} from '../shell/action.ts';
import {
	alwaysActions,
	backOrLeave,
	copyAction,
	detailsAction,
	type Form,
	failureIn,
	stopAction,
} from '../shell/form-actions.ts';
import {menuAction} from '../shell/menu.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from '../shell/scrolling.ts';
import type {SteppedForm} from './engine.ts';

type Extent = {readonly last: number; readonly room: number};

/** What distinguishes the keys of one form from those of another. */
type FormKeys = {
	readonly form: Form & {readonly name: 'wizard' | 'emergency'};
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
	/** What leaving would lose. */
	lost(state: LedgeState): readonly string[] | undefined;
	/** What is put on the clipboard. */
	copied(state: LedgeState): string | undefined;
	/** The keys that only this form has. */
	readonly own: readonly Action[];
};

/** The keys of a form with steps. Where text is typed, letters are text. */
export function formActions(keys: FormKeys): readonly Action[] {
	const {form, of, partOf, last, extent} = keys;
	const {name, group, typing, choosing} = form;
	const isAt =
		(...parts: readonly string[]) =>
		(state: LedgeState): boolean =>
			parts.some(part => part === partOf(state));
	const inExpression = {group, where: typing, isHere: isAt('expression')};
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
				return state().warn('That enter came in one go with the text, as in a paste: press it once more.');
			default:
				return key.pasted satisfies never;
		}
	}

	const back = (app: App): void =>
		backOrLeave(app, {
			name,
			back: () => keys.back(app.state()),
			lost: () => keys.lost(app.state()),
			leave: () => of(app.state()).leave(),
			discard: () => of(app.state()).discard(),
		});

	return [
		{
			...inExpression,
			id: `${name}.take`,
			keys: ['tab'],
			title: 'take the completion, or the correction of the problem',
			hint: 'complete',
			run: ({state}) => of(state()).complete(),
		},
		...keys.own.filter(({where}) => where === typing),
		{
			id: `${name}.next`,
			keys: ['enter'],
			title: 'next step',
			hint: 'next',
			group,
			where: typing,
			run: enter,
		},
		{
			...inExpression,
			id: `${name}.format`,
			keys: ['ctrl-f'],
			title: 'write the expression in its canonical form',
			hint: 'format',
			run: ({state}) => of(state()).format(),
		},
		{
			...inExpression,
			id: `${name}.problem`,
			keys: ['ctrl-t'],
			title: 'go to the next problem of the expression',
			run: ({state}) => of(state()).toNextProblem(),
		},
		menuAction({
			id: `${name}.choose`,
			title: 'move in the choices, and choose',
			hint: 'choose',
			group,
			where: choosing,
			isHere: isAt('action', 'ended'),
		}),
		...keys.own.filter(({where}) => where !== typing),
		{
			id: `${name}.requests`,
			keys: ['r'],
			title: 'switch between the requests and curl lines',
			hint: 'curl',
			group,
			where: choosing,
			isHere: isAt(last),
			run: ({state}) => of(state()).toggleView(),
		},
		copyAction(form, 'copy the requests as curl lines, or the command to continue', keys.copied),
		stopAction(form, isAt('sending'), state => of(state).cancel()),
		scrolls('page-down', ['space', 'pagedown'], 'one page down', pageDown, 'more'),
		scrolls('page-up', ['pageup'], 'one page up', pageUp),
		scrolls('line-down', ['down', 'j'], 'one row down', lineDown),
		scrolls('line-up', ['up', 'k'], 'one row up', lineUp),
		scrolls('first', ['g', 'home'], 'to the first row', toFirst),
		scrolls('last', ['G', 'end'], 'to the last row', toLast),
		{
			id: `${name}.back`,
			keys: ['esc'],
			title: 'back one step; from the first one, leave',
			hint: 'back',
			words: ['go back'],
			group,
			where: [...typing, ...choosing],
			run: back,
		},
		detailsAction(form, 'details', state => failureIn(state[form.name])),
		...alwaysActions(form),
	];
}
