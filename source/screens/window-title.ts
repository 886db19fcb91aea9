import {toDrawable} from '../text/columns.ts';
import {cutEnd} from '../text/cut.ts';
import {getScreenPath} from './path.ts';
import type {App} from './shell/app.ts';

/** Maximum columns of a title; terminals cut longer ones anywhere. */
const maxColumns = 100;

/** Formats the path of the screen as a title, safe for a terminal. */
const formatTitle = ({state}: App): string =>
	cutEnd(toDrawable(getScreenPath(state()).join(' › ')), maxColumns);

/**
 * Creates a function that makes the title of the terminal window follow a session, and no longer the one
 * before. Without a session it sends the title again, after another program had the terminal.
 */
export function createWindowTitle(write: (sequence: string) => void): (app?: App) => void {
	let followedApp: App | undefined;
	let stopFollowing: (() => void) | undefined;
	let shownTitle: string | undefined;
	const update = () => {
		const title = followedApp && formatTitle(followedApp);
		if (title === undefined || title === shownTitle) return;
		shownTitle = title;
		write(`\u001b]2;${title}\u0007`);
	};
	return app => {
		shownTitle = undefined;
		if (app) {
			stopFollowing?.();
			followedApp = app;
			stopFollowing = app.store.subscribe(update);
		}
		update();
	};
}
