import type {App} from './action.ts';
import {entriesOf} from './screen.ts';

/** What leaving this session does, in a question and behind its key. */
type Leaving = {readonly title: string; readonly does: string; leave(): void};

/** Quits at once, unless something would be left half done: then it asks. */
export function quit(app: App): void {
	leaveSession(app, {title: 'Quit ledge', does: 'quit', leave: app.terminal.quit});
}

/** Leaves this session at once, unless something would be left half done: then it asks. */
export function leaveSession({state}: App, {title, does, leave}: Leaving): void {
	const now = state();
	const screens = entriesOf(now.screens).map(([, screen]) => screen);
	const writes = now.work.filter(({kind}) => kind === 'write' || kind === 'long').map(({label}) => label);
	const lost = now.saveDrafts();
	const unsaved = screens.flatMap(screen => screen.unsaved?.(now, lost) ?? []);
	const lines = [
		...writes.map(label => `Still under way: ${label}.`),
		...new Set(unsaved.flatMap(one => one.lines)),
		...(unsaved.some(({isDraft}) => isDraft) ? [now.whenClosed()] : []),
	];
	// What is sent is stopped, and its outcome is looked up and recorded, before the process is gone.
	const confirm = () => void Promise.all(screens.map(screen => screen.end?.(now))).then(leave);
	if (lines.length === 0 || now.leaving) leave();
	else if (lost !== undefined)
		now.open({
			kind: 'choice',
			title: `${title}, and lose what was typed?`,
			lines,
			choices: [
				{value: 'back', label: 'Go back'},
				{value: 'quit', label: `${title}, and lose it`},
			],
			choose(value) {
				if (value === 'quit') confirm();
			},
		});
	else now.open({kind: 'confirm', title: `${title}?`, lines, does, confirm});
}
