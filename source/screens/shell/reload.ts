import {readAccounts} from '../accounts/actions.ts';
import {lookAgain} from '../home/actions.ts';
import {readJobs} from '../jobs/actions.ts';
import {reloadKey} from '../key/actions.ts';
import {reloadKeys} from '../keys/actions.ts';
import {readNamespaces} from '../namespaces/actions.ts';
import {readFirewall, readZones} from '../zones/actions.ts';
import type {App} from './action.ts';
import {type Screen, screenOf} from './navigation-slice.ts';

const readers: Partial<Record<Screen, (app: App) => void>> = {
	home: app => void lookAgain(app),
	namespaces: app => readNamespaces(app, app.state().namespaces.where),
	keys: reloadKeys,
	key: reloadKey,
	review: app => void app.state().decide({does: 'check again', label: ''}),
	zones: readZones,
	accounts: readAccounts,
	firewall: readFirewall,
	compare: app => void app.state().compareAgain(),
	jobs: readJobs,
};

/** Reads what the screen shows once more. */
export function reload(app: App): void {
	const state = app.state();
	const read = readers[screenOf(state)];
	if (read) read(app);
	else state.say('There is nothing to read again here.');
}
