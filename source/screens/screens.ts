import {accountsScreen} from './accounts/screen.ts';
import {activityScreen} from './activity/screen.ts';
import {bulkScreen} from './bulk/screen.ts';
import {compareScreen} from './compare/screen.ts';
import {editorScreen} from './edit/screen.ts';
import {emergencyScreen} from './emergency/screen.ts';
import {firewallScreen} from './firewall/screen.ts';
import {homeScreen} from './home/screen.ts';
import {jobsScreen} from './jobs/screen.ts';
import {keyScreen} from './key/screen.ts';
import {keysScreen} from './keys/screen.ts';
import {migrationScreen} from './migration/screen.ts';
import {namespacesScreen} from './namespaces/screen.ts';
import {reviewScreen} from './review/screen.ts';
import {transferScreen} from './transfer/screen.ts';
import {wizardScreen} from './wizard/screen.ts';
import {zonesScreen} from './zones/screen.ts';

/** Every screen, in the order of their groups in the help. */
export const screens = {
	home: homeScreen,
	namespaces: namespacesScreen,
	keys: keysScreen,
	key: keyScreen,
	editor: editorScreen,
	review: reviewScreen,
	bulk: bulkScreen,
	transfer: transferScreen,
	compare: compareScreen,
	zones: zonesScreen,
	accounts: accountsScreen,
	firewall: firewallScreen,
	wizard: wizardScreen,
	emergency: emergencyScreen,
	migration: migrationScreen,
	jobs: jobsScreen,
	activity: activityScreen,
};
