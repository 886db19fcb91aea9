import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {Action, App} from './action.ts';
import {helpRows, paletteRows} from './action-lists.ts';
import {helpLines} from './help-lines.ts';
import {menuAction} from './menu.ts';

/** The last row of the palette, or the furthest that the help can be scrolled. */
function lastRow(app: App): number {
	const state = app.state();
	switch (state.dialog?.kind) {
		case 'palette':
			return paletteRows(app.actions, state, state.dialog.query).length - 1;
		case 'help': {
			const rows = helpRows(app.actions, state, state.dialog.query);
			const {columns} = state.viewport;
			// The names of keys are longer in ASCII: what is too far is not scrolled.
			const lines = helpLines(rows, columns, themeOf('none', false).marks).length;
			return Math.max(0, lines - bodyRows(state.viewport.rows) + 1);
		}
		default:
			return 0;
	}
}

const moveIn = (id: string, keys: Action['keys'], title: string, by: (rows: number) => number): Action => ({
	id: `dialog.${id}`,
	keys,
	title,
	group: 'Dialogs',
	where: ['palette', 'help'],
	run(app) {
		const state = app.state();
		state.moveInDialog(by(bodyRows(state.viewport.rows) - 2), lastRow(app));
	},
});

/** The keys of what lies over a screen. */
export const dialogActions: readonly Action[] = [
	{
		id: 'dialog.close',
		keys: ['esc'],
		title: 'close, nothing is done',
		hint: 'close',
		group: 'Dialogs',
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help'],
		run: app => app.state().closeDialog(),
	},
	{
		id: 'dialog.yes',
		keys: ['y'],
		title: 'yes, do it',
		hint: 'yes',
		group: 'Dialogs',
		where: ['confirm'],
		run: app => app.state().submitDialog(),
	},
	{
		id: 'dialog.other',
		keys: ['d'],
		title: 'leave and discard what was typed',
		hint: 'discard',
		group: 'Dialogs',
		where: ['confirm'],
		isHere: ({dialog}) => dialog?.kind === 'confirm' && dialog.other !== undefined,
		run: app => app.state().takeOtherWay(),
	},
	{
		id: 'dialog.submit',
		keys: ['enter'],
		title: 'take what was entered',
		hint: 'do it',
		group: 'Dialogs',
		where: ['field', 'entry'],
		run: app => app.state().submitDialog(),
	},
	menuAction({
		id: 'dialog.choose',
		title: 'move in the choices, and choose',
		hint: 'choose',
		group: 'Dialogs',
		where: ['choice'],
	}),
	{
		id: 'dialog.leave',
		keys: ['enter', 'q', 'i'],
		title: 'close what happened',
		group: 'Dialogs',
		where: ['failure'],
		run: app => app.state().closeDialog(),
	},
	moveIn('down', ['down', 'ctrl-n'], 'one row down', () => 1),
	moveIn('up', ['up', 'ctrl-p'], 'one row up', () => -1),
	moveIn('page-down', ['pagedown'], 'one page down', rows => rows),
	moveIn('page-up', ['pageup'], 'one page up', rows => -rows),
	{
		id: 'dialog.perform',
		keys: ['enter'],
		title: 'do the chosen action',
		hint: 'do it',
		group: 'Dialogs',
		where: ['palette'],
		run(app, key) {
			const state = app.state();
			if (state.dialog?.kind !== 'palette') return;
			const chosen = paletteRows(app.actions, state, state.dialog.query)[state.dialog.cursor];
			if (!chosen) return;
			if (chosen.reason !== undefined) return state.warn(`${chosen.action.title}: ${chosen.reason}`);
			state.closeDialog();
			chosen.action.run(app, key);
		},
	},
	{
		id: 'dialog.empty',
		keys: ['ctrl-u'],
		title: 'empty the line',
		group: 'Dialogs',
		where: ['palette', 'help', 'entry'],
		run: app => app.state().enter(''),
	},
	{
		id: 'filter.accept',
		keys: ['enter'],
		title: 'keep the filter and go to the list',
		hint: 'to the list',
		group: 'Dialogs',
		where: ['filter'],
		run: app => app.state().endFilter(),
	},
	{
		id: 'filter.empty',
		keys: ['ctrl-u'],
		title: 'empty the filter',
		group: 'Dialogs',
		where: ['filter'],
		run(app) {
			app.state().filterScreen('');
			app.state().beginFilter();
		},
	},
	{
		id: 'filter.clear',
		keys: ['esc'],
		title: 'everything again',
		hint: 'no filter',
		group: 'Dialogs',
		where: ['filter'],
		run(app) {
			app.state().endFilter();
			app.state().filterScreen('');
		},
	},
	{
		id: 'dialog.quit',
		keys: ['ctrl-c'],
		title: 'end ledge at once',
		group: 'Dialogs',
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help', 'filter'],
		run: app => (app.state().dialog ? app.terminal.quit() : app.state().endFilter()),
	},
];
