import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import {actionsOf} from './action.ts';
import {helpRows, paletteRows} from './action-lists.ts';
import type {Action, App} from './app.ts';
import {helpLines} from './help-lines.ts';
import {menuKeys, toMenu} from './menu.ts';

/** Returns the last row of the palette, or the last scroll position of the help. */
function lastRow(app: App): number {
	const state = app.state();
	switch (state.dialog.current?.kind) {
		case 'palette':
			return paletteRows(app.actions, state, state.dialog.current.query).length - 1;
		case 'help': {
			const rows = helpRows(app.actions, state, state.dialog.current.query);
			const {columns} = state.navigation.viewport;
			// // Key names are longest in ASCII, so this is an upper bound.
			const lines = helpLines(rows, columns, themeOf('none', false).marks).length;
			return Math.max(0, lines - bodyRows(state.navigation.viewport.rows) + 1);
		}
		default:
			return 0;
	}
}

const action = actionsOf('Dialogs', ['confirm']);
const inFilter = actionsOf('Dialogs', ['filter']);

const moveIn = (id: string, keys: Action['keys'], title: string, by: (rows: number) => number): Action =>
	action(`dialog.${id}`, keys, title, {
		where: ['palette', 'help'],
		run(app) {
			const state = app.state();
			state.dialog.move(by(bodyRows(state.navigation.viewport.rows) - 2), lastRow(app));
		},
	});

/** Actions of dialogs, palette, help and filter. */
export const dialogActions: readonly Action[] = [
	action('dialog.close', ['esc'], 'close without a change', {
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help'],
		hint: 'close',
		run: app => app.state().dialog.close(),
	}),
	action('dialog.no', ['n'], 'no, change nothing', {
		where: ['confirm'],
		run: app => app.state().dialog.close(),
	}),
	action('dialog.yes', ['y'], 'yes', {hint: 'yes', run: app => app.state().dialog.submit()}),
	action('dialog.other', ['d'], 'leave and discard what was typed', {
		hint: 'discard',
		isHere: ({dialog: {current: dialog}}) => dialog?.kind === 'confirm' && dialog.other !== undefined,
		run: app => app.state().dialog.takeOtherWay(),
	}),
	action('dialog.submit', ['enter'], 'submit', {
		where: ['field', 'entry'],
		hint: 'continue',
		run: app => app.state().dialog.submit(),
	}),
	action('dialog.mode', ['tab'], 'mean what is typed in the next way', {
		hint: 'text or expression',
		where: ['field'],
		isHere: ({dialog: {current: dialog}}) => dialog?.kind === 'field' && dialog.modes !== undefined,
		run: app => app.state().dialog.nextMode(),
	}),
	action('dialog.choose', menuKeys, 'move in the choices, and choose', {
		hint: 'choose',
		where: ['choice'],
		run: toMenu,
	}),
	action('dialog.leave', ['enter', 'q', 'i'], 'close the error', {
		where: ['failure'],
		run: app => app.state().dialog.close(),
	}),
	moveIn('down', ['down', 'ctrl-n'], 'one row down', () => 1),
	moveIn('up', ['up', 'ctrl-p'], 'one row up', () => -1),
	moveIn('page-down', ['pagedown'], 'one page down', rows => rows),
	moveIn('page-up', ['pageup'], 'one page up', rows => -rows),
	action('dialog.perform', ['enter'], 'run the selected command', {
		where: ['palette'],
		hint: 'run',
		run(app, key) {
			const state = app.state();
			if (state.dialog.current?.kind !== 'palette') return;
			const chosen = paletteRows(app.actions, state, state.dialog.current.query)[state.dialog.current.cursor];
			if (!chosen) return;
			if (chosen.kind === 'jump') {
				state.dialog.close();
				chosen.run(app);
				return;
			}
			const {action: wanted, reason, elsewhere} = chosen;
			if (reason !== undefined) return state.messages.warn(`${wanted.title}: ${reason}`);
			state.dialog.close();
			(elsewhere ? wanted.fromElsewhere : wanted)?.run(app, key);
		},
	}),
	action('dialog.empty', ['ctrl-u'], 'empty the line', {
		where: ['palette', 'help', 'entry'],
		run: app => app.state().dialog.enter(''),
	}),
	inFilter('filter.accept', ['enter'], 'keep the filter and go to the list', {
		hint: 'to the list',
		run: app => app.state().dialog.endFilter(),
	}),
	inFilter('filter.empty', ['ctrl-u'], 'empty the filter', {
		run(app) {
			app.state().dialog.filter('');
			app.state().dialog.beginFilter();
		},
	}),
	inFilter('filter.clear', ['esc'], 'everything again', {
		hint: 'no filter',
		run(app) {
			app.state().dialog.endFilter();
			app.state().dialog.filter('');
		},
	}),
	action('dialog.quit', ['ctrl-c'], 'end ledge at once', {
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help', 'filter'],
		run: app => (app.state().dialog.current ? app.terminal.quit() : app.state().dialog.endFilter()),
	}),
];
