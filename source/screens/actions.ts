import type {Action} from './action.ts';
import {accountsActions} from './actions/accounts.ts';
import {activityActions} from './actions/activity.ts';
import {bulkActions, selectionActions} from './actions/bulk.ts';
import {compareActions, keysCompareActions} from './actions/compare.ts';
import {dialogActions} from './actions/dialogs.ts';
import {editingActions, newKeyActions} from './actions/editing.ts';
import {emergencyActions} from './actions/emergency.ts';
import {everywhereActions, tooSmallActions} from './actions/everywhere.ts';
import {firewallActions} from './actions/firewall.ts';
import {homeActions} from './actions/home.ts';
import {jobsActions} from './actions/jobs.ts';
import {keyActions} from './actions/key.ts';
import {keysActions, narrowingActions} from './actions/keys.ts';
import {menuPalette} from './actions/menu-palette.ts';
import {migrationActions} from './actions/migration.ts';
import {movementActions} from './actions/movement.ts';
import {namespaceActions} from './actions/namespaces.ts';
import {reviewActions} from './actions/review.ts';
import {keysTransferActions, transferActions} from './actions/transfer.ts';
import {unsavedActions} from './actions/unsaved.ts';
import {wizardActions} from './actions/wizard.ts';
import {zonesActions} from './actions/zones.ts';

/**
 * Every action of the screens: the one declaration of the keys, which feeds the handler, the hints, the help, the
 * palette and the readme. Of two that share a key in one place the first one that can be done has it.
 */
export const actions: readonly Action[] = [
	...dialogActions,
	...namespaceActions,
	...selectionActions,
	...keysActions,
	...editingActions,
	...keysTransferActions,
	...narrowingActions,
	...keysCompareActions,
	...newKeyActions,
	...reviewActions,
	...keyActions,
	...bulkActions,
	...zonesActions,
	...accountsActions,
	...firewallActions,
	...wizardActions,
	...emergencyActions,
	...migrationActions,
	menuPalette,
	...transferActions,
	...compareActions,
	...jobsActions,
	...activityActions,
	...homeActions,
	...movementActions,
	...unsavedActions,
	...everywhereActions,
	...tooSmallActions,
];
