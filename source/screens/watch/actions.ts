import {nameKey} from '../../keyboard/named-keys.ts';
import type {LedgeStore, StateWith} from '../../store/ledge-store.ts';
import {formatInteger} from '../../text/figures.ts';
import {createActionFactory} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {maxListedKeys} from './limits.ts';

/** What ends the watch of each screen. */
const stops = new WeakMap<LedgeStore, () => void>();

/** Starts or stops watching what the current screen shows. */
function toggleWatch(app: App): void {
	const {state, store} = app;
	const stop = stops.get(store);
	if (stop) {
		stop();
		state().messages.say('Stopped watching.');
		return;
	}
	const screen = getCurrentScreen(state()) === 'key' ? 'key' : 'keys';
	const getSubject = getSubjectGetters[screen];
	const subject = getSubject(state());
	const controller = new AbortController();
	let isLeft = false;
	// Leaving the screen, another filter and a refresh end it.
	const unsubscribe = store.subscribe(next => {
		const current = getCurrentScreen(next) === screen ? getSubject(next) : [];
		isLeft ||= subject.some((part, index) => part !== current[index]);
		if (isLeft) controller.abort();
	});
	stops.set(store, () => controller.abort());
	const {title, where} = state().keys.data?.namespace ?? {};
	void state()
		.work.run(`watching ${title}`, 'background', signal => {
			const {watchList, watchValue} = state().watch;
			const watchShown = screen === 'key' ? watchValue : watchList;
			return watchShown(AbortSignal.any([signal, controller.signal]));
		})
		.finally(() => {
			unsubscribe();
			stops.delete(store);
			const {latest, say} = state().messages;
			if (isLeft && latest === undefined) say('No longer watching.');
		});
	const content = screen === 'keys' && where === 'remote' ? ' names, metadata and expiration' : '';
	const delay = where === 'remote' ? '; changes can be 60 s late' : '';
	state().messages.say(`Watching${content}${delay}.`);
}

/** Return what is watched, to notice that something else is shown. */
const getSubjectGetters = {
	keys: ({keys: {data: keys}}: StateWith<'keys', 'data'>) => [keys?.index, keys?.prefixKeys],
	key: ({keys: {data: keys}, key: {data: key}}: StateWith<'keys', 'data'> & StateWith<'key', 'data'>) => [
		keys?.opened,
		key?.name,
	],
} as const;

function getWatchBlockedReason(
	state: StateWith<'keys', 'data'> & StateWith<'key', 'data'> & StateWith<'navigation', 'stack'>,
): string | undefined {
	const keys = state.keys.data;
	if (!keys) return 'no namespace is open';
	if (getCurrentScreen(state) === 'key') {
		const reading = state.key.data?.reading;
		return reading === 'read' || reading === 'absent' ? undefined : 'no value loaded';
	}
	if (keys.listing.state !== 'complete')
		return `list all keys first (${nameKey('keys.all', 'ctrl-l')}), or filter by prefix with ^`;
	const count = (keys.prefixKeys ?? keys.index).count;
	return count > maxListedKeys
		? `there are more than ${formatInteger(maxListedKeys)} keys: filter by prefix with ^ first`
		: undefined;
}

export const watchActions: readonly Action[] = [
	createActionFactory('Keys', ['keys', 'key'])('watch.toggle', ['W'], 'watch for changes: again to stop', {
		searchTerms: ['follow', 'live', 'poll', 'auto refresh', 'changes', 'monitor', 'tail', 'notify'],
		getUnavailableReason: getWatchBlockedReason,
		run: toggleWatch,
	}),
];
