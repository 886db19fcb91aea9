import type {JsonObject} from '../../text/json.ts';
import type {Collection, ResourceOwner} from '../world/resources.ts';

/** Returns the page rules of a zone. */
export const getStoredPageRules = ({resources}: ResourceOwner, zoneId: string): Collection<JsonObject> =>
	resources.getCollection('page-rule', zoneId);
