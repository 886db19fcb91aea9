import {getBodyRows} from '../../components/layout.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {createActionFactory, describeUnavailable} from './action.ts';
import {buildPaletteRows} from './action-lists.ts';
import type {Action} from './app.ts';
import {hasTextBelow, hasUnreadText} from './dialog-text.ts';
import {forwardToMenu, menuKeys} from './menu.ts';

const action = createActionFactory('Dialogs', ['confirm']);
const defineFilterAction = createActionFactory('Dialogs', ['filter']);

/** Moves in the palette, or scrolls the help. */
const defineDialogMove = (
	id: string,
	keys: Action['keys'],
	title: string,
	distance: number,
	unit: 'line' | 'page',
	where: Action['where'] = ['palette', 'help', 'help search'],
): Action =>
	action(`dialog.${id}`, keys, title, {
		where,
		run(app) {
			const state = app.state();
			if (state.dialog.current?.kind !== 'palette') return state.dialog.scrollText(distance, unit);
			const {length} = buildPaletteRows(app.actions, state, state.dialog.current.query);
			const pageRows = Math.max(1, getBodyRows(state.navigation.viewport.rows) - 2);
			state.dialog.move(distance * (unit === 'page' ? pageRows : 1), length - 1);
		},
	});

const questionKinds = ['confirm', 'field', 'entry', 'choice', 'failure'] as const;

const hasHiddenText = ({dialog: {text}}: StateWith<'dialog', 'text'>): boolean =>
	text.lineCount > text.visibleCount;

const hasModes = ({dialog: {current: dialog}}: StateWith<'dialog', 'current'>): boolean =>
	dialog?.kind === 'field' && dialog.modes !== undefined;

const hasSuggestions = ({dialog: {current: dialog}}: StateWith<'dialog', 'current'>): boolean =>
	dialog?.kind === 'field' && dialog.suggestions !== undefined;

/** True for a question that wants a name, while some of its text has not been visible. */
const mustReadOn = ({dialog: {current: dialog, text}}: StateWith<'dialog', 'current' | 'text'>): boolean =>
	dialog?.kind === 'field' && dialog.requiredInput !== undefined && hasUnreadText(text);

/** Actions of dialogs, palette, help and filter. */
export const dialogActions: readonly Action[] = [
	action('dialog.close', ['esc'], 'back to the previous question, or close without changes', {
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help'],
		hint: 'back',
		run: app => app.state().dialog.goBack(),
	}),
	action('dialog.no', ['n'], 'no: back to the previous question, or close without changes', {
		where: ['confirm'],
		run: app => app.state().dialog.goBack(),
	}),
	action('dialog.text-down', ['pagedown'], 'scroll the text down', {
		where: questionKinds,
		hint: 'more',
		isActive: hasHiddenText,
		getHintPlace: ({dialog: {text}}) => (hasTextBelow(text) ? undefined : 'none'),
		run: app => app.state().dialog.scrollText(1),
	}),
	action('dialog.text-up', ['pageup'], 'scroll the text up', {
		where: questionKinds,
		isActive: hasHiddenText,
		run: app => app.state().dialog.scrollText(-1),
	}),
	action('dialog.read', ['y', 'space'], 'show the rest of the question', {
		where: ['confirm'],
		isActive: ({dialog: {text}}) => hasUnreadText(text),
		run: app => void app.state().dialog.readOn(),
	}),
	action('dialog.yes', ['y'], 'yes', {
		effect: 'prepares a write',
		hint: 'yes',
		isActive: ({dialog: {text}}) => !hasUnreadText(text),
		run: app => app.state().dialog.submit(),
	}),
	action('dialog.read-field', ['enter'], 'show the rest of the question', {
		where: ['field'],
		hint: 'read on',
		isActive: mustReadOn,
		run: app => app.state().dialog.submit(),
	}),
	action('dialog.submit', ['enter'], 'submit', {
		effect: 'prepares a write',
		where: ['field', 'entry'],
		hint: 'continue',
		isActive: state => !mustReadOn(state),
		run: app => app.state().dialog.submit(),
	}),
	action('dialog.mode', ['tab'], 'switch to the next option', {
		hint: 'next option',
		where: ['field'],
		isActive: hasModes,
		run: app => app.state().dialog.moveMode(1),
	}),
	action('dialog.mode-before', ['shift-tab'], 'switch to the previous option', {
		where: ['field'],
		isActive: hasModes,
		run: app => app.state().dialog.moveMode(-1),
	}),
	action('dialog.suggestion-down', ['down', 'ctrl-n'], 'select the next entry', {
		hint: 'choose',
		where: ['field'],
		isActive: hasSuggestions,
		run: app => app.state().dialog.moveSuggestion(1),
	}),
	action('dialog.suggestion-up', ['up', 'ctrl-p'], 'select the previous entry', {
		where: ['field'],
		isActive: hasSuggestions,
		run: app => app.state().dialog.moveSuggestion(-1),
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
	defineDialogMove('down', ['down', 'ctrl-n'], 'one row down', 1, 'line'),
	defineDialogMove('up', ['up', 'ctrl-p'], 'one row up', -1, 'line'),
	defineDialogMove('page-down', ['pagedown'], 'one page down', 1, 'page'),
	defineDialogMove('page-up', ['pageup'], 'one page up', -1, 'page'),
	defineDialogMove('help-down', ['j'], 'one row down', 1, 'line', ['help']),
	defineDialogMove('help-up', ['k'], 'one row up', -1, 'line', ['help']),
	defineDialogMove('help-page-down', ['space', 'ctrl-f'], 'one page down', 1, 'page', ['help']),
	defineDialogMove('help-page-up', ['ctrl-b'], 'one page up', -1, 'page', ['help']),
	defineDialogMove('help-first', ['g', 'home'], 'to the first row', Number.NEGATIVE_INFINITY, 'line', [
		'help',
	]),
	defineDialogMove('help-last', ['G', 'end'], 'to the last row', Number.POSITIVE_INFINITY, 'line', ['help']),
	action('dialog.help-search', ['/'], 'search the shortcuts', {
		where: ['help'],
		hint: 'search',
		run: app => app.state().dialog.searchHelp(true),
	}),
	action('dialog.help-close', ['q', '?', 'f1'], 'close the help', {
		where: ['help'],
		run: app => app.state().dialog.close(),
	}),
	action('dialog.help-accept', ['enter'], 'keep the search and scroll', {
		where: ['help search'],
		hint: 'done',
		run: app => app.state().dialog.searchHelp(false),
	}),
	action('dialog.help-clear', ['esc'], 'clear and close the search', {
		where: ['help search'],
		hint: 'clear',
		run(app) {
			app.state().dialog.setText('');
			app.state().dialog.searchHelp(false);
		},
	}),
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
			if (reason !== undefined) return state.messages.warn(describeUnavailable(chosenAction, reason));
			state.dialog.close();
			(route ? chosenAction.paletteRoute : chosenAction)?.run(app, key);
		},
	}),
	action('dialog.empty', ['ctrl-u'], 'clear the line', {
		where: ['palette', 'help search', 'entry'],
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
		where: ['confirm', 'field', 'entry', 'choice', 'failure', 'palette', 'help', 'help search', 'filter'],
		run: app => (app.state().dialog.current ? app.terminal.quit() : app.state().dialog.endFilter()),
	}),
];
