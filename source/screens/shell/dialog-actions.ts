import {getBodyRows} from '../../components/layout.ts';
import {getTheme} from '../../components/theme.ts';
import {createActionFactory} from './action.ts';
import {buildHelpRows, buildPaletteRows} from './action-lists.ts';
import type {Action, App} from './app.ts';
import {computeDialogSize} from './dialog-size.ts';
import {buildHelpColumns} from './help-lines.ts';
import {forwardToMenu, menuKeys} from './menu.ts';

/** Returns the last row of the palette, or the last scroll position of the help. */
function getLastRow(app: App): number {
	const state = app.state();
	switch (state.dialog.current?.kind) {
		case 'palette':
			return buildPaletteRows(app.actions, state, state.dialog.current.query).length - 1;
		case 'help': {
			const rows = buildHelpRows(app.actions, state, state.dialog.current.query);
			const size = computeDialogSize(state.navigation.viewport, 'help');
			// Key names are longest in ASCII, so this is an upper bound.
			const helpColumns = buildHelpColumns(rows, size.columns, getTheme('none', false).marks);
			const lineCount = Math.max(0, ...helpColumns.map(({lines}) => lines.length));
			return Math.max(0, lineCount - size.rows + 1);
		}
		default:
			return 0;
	}
}

const action = createActionFactory('Dialogs', ['confirm']);
const defineFilterAction = createActionFactory('Dialogs', ['filter']);

const defineDialogMove = (
	id: string,
	keys: Action['keys'],
	title: string,
	getDistance: (rows: number) => number,
): Action =>
	action(`dialog.${id}`, keys, title, {
		where: ['palette', 'help'],
		run(app) {
			const state = app.state();
			state.dialog.move(getDistance(getBodyRows(state.navigation.viewport.rows) - 2), getLastRow(app));
		},
	});

/** Actions of dialogs, palette, help and filter. */
export const dialogActions: readonly Action[] = [
	action('dialog.close', ['esc'], 'close without changes', {
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help'],
		hint: 'close',
		run: app => app.state().dialog.close(),
	}),
	action('dialog.no', ['n'], 'no, change nothing', {
		where: ['confirm'],
		run: app => app.state().dialog.close(),
	}),
	action('dialog.yes', ['y'], 'yes', {
		effect: 'prepares a write',
		hint: 'yes',
		run: app => app.state().dialog.submit(),
	}),
	action('dialog.submit', ['enter'], 'submit', {
		effect: 'prepares a write',
		where: ['field', 'entry'],
		hint: 'continue',
		run: app => app.state().dialog.submit(),
	}),
	action('dialog.mode', ['tab'], 'switch the search mode', {
		hint: 'search mode',
		where: ['field'],
		isActive: ({dialog: {current: dialog}}) => dialog?.kind === 'field' && dialog.modes !== undefined,
		run: app => app.state().dialog.selectNextMode(),
	}),
	action('dialog.choose', menuKeys, 'move through the choices and choose one', {
		effect: 'prepares a write',
		hint: 'choose',
		where: ['choice'],
		run: forwardToMenu,
	}),
	action('dialog.leave', ['enter', 'q', 'i'], 'close the error', {
		where: ['failure'],
		run: app => app.state().dialog.close(),
	}),
	defineDialogMove('down', ['down', 'ctrl-n'], 'one row down', () => 1),
	defineDialogMove('up', ['up', 'ctrl-p'], 'one row up', () => -1),
	defineDialogMove('page-down', ['pagedown'], 'one page down', rows => rows),
	defineDialogMove('page-up', ['pageup'], 'one page up', rows => -rows),
	action('dialog.perform', ['enter'], 'run the selected command', {
		effect: 'prepares a write',
		where: ['palette'],
		hint: 'run',
		run(app, key) {
			const state = app.state();
			if (state.dialog.current?.kind !== 'palette') return;
			const chosenRow = buildPaletteRows(app.actions, state, state.dialog.current.query)[
				state.dialog.current.cursor
			];
			if (!chosenRow) return;
			if (chosenRow.kind === 'jump') {
				state.dialog.close();
				chosenRow.run(app);
				return;
			}
			const {action: chosenAction, reason, route} = chosenRow;
			if (reason !== undefined) return state.messages.warn(`${chosenAction.title}: ${reason}`);
			state.dialog.close();
			(route ? chosenAction.paletteRoute : chosenAction)?.run(app, key);
		},
	}),
	action('dialog.empty', ['ctrl-u'], 'clear the line', {
		where: ['palette', 'help', 'entry'],
		run: app => app.state().dialog.setText(''),
	}),
	defineFilterAction('filter.accept', ['enter'], 'keep the filter and go to the list', {
		hint: 'done',
		run: app => app.state().dialog.endFilter(),
	}),
	defineFilterAction('filter.empty', ['ctrl-u'], 'clear the filter', {
		run(app) {
			app.state().dialog.filter('');
			app.state().dialog.beginFilter();
		},
	}),
	defineFilterAction('filter.clear', ['esc'], 'clear and close the filter', {
		hint: 'clear',
		run(app) {
			app.state().dialog.filter('');
			app.state().dialog.endFilter();
		},
	}),
	action('dialog.quit', ['ctrl-c'], 'quit immediately', {
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help', 'filter'],
		run: app => (app.state().dialog.current ? app.terminal.quit() : app.state().dialog.endFilter()),
	}),
];
