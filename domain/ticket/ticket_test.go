package ticket_test

import (
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ticket"
)

// specified lists the fields of the resource in the documented order: the name, then the type, R for required.
const specified = `
_id id R; sellerId id R; eventId id R; ticketTypeId id R; ticketName string R; createdAt date-time R;
updatedAt date-time R; status enum VALID, INVALID, RESERVED, DETAILSREQUIRED, BLANK R; secret string R; barcode string R;
company string; email string; name string; firstname string; lastname string; street string; line2 string; city string;
postal string; state string; country string; rootEventId id; transactionId id; posId id; underShopId id;
categoryRef string; categoryName string; slotId id; slotStartTime string; cartItemId id; customMessage string;
priceCategoryId id; customerId id; originTicketId id; fulfillmentTypeId id; batch UUID; seat string;
triggeredBy array of id; regularPrice number; realPrice number; batchCounter number;
completed boolean; readyForDelivery boolean; personalized boolean; expiresAt date-time; seatingInfo Seating;
type enum SINGLE, MULTI; origin enum yourticket, pos, rebooking, upgrade, subscription, transfer; extraFields object;
deliveryType enum HARD, VIRTUAL; entryPermissions array of any value; history array of any value;
personalizations array of any value; excludedEventIds array of id; packageInfo Package; __v integer;
_locks array of Lock; addOns array of AddOn; capabilities array of Capability`

func TestTheDefinitionMatchesTheSpecification(t *testing.T) {
	t.Parallel()
	rows := strings.Split(strings.TrimSpace(strings.ReplaceAll(specified, "\n", " ")), "; ")
	for _, row := range rows {
		text, required := strings.CutSuffix(row, " R")
		name, kind, _ := strings.Cut(strings.TrimSpace(text), " ")
		field, ok := ticket.Definition.Field(name)
		if !ok || field.Type.String() != kind || field.Required != required {
			t.Errorf("%s: got %s, required %v; want %s, %v", name, field.Type, field.Required, kind, required)
		}
	}
	currency, _ := ticket.Definition.Field("currency")
	if got, want := len(ticket.Definition.Members), len(rows)+1; got != want || len(currency.Type.Names) != 60 {
		t.Errorf("got %d fields and %d currencies, want %d and 60", got, len(currency.Type.Names), want)
	}
}

func TestEveryFieldAndEnumerationIsChecked(t *testing.T) {
	t.Parallel()
	domaintest.FindsBreaks(t, ticket.Definition, 250)
}

func TestSeatsOfBothTypes(t *testing.T) {
	t.Parallel()
	seating, _ := ticket.Definition.Field("seatingInfo")
	for name, row := range map[string]struct{ seating, wrong string }{
		"a seat":                          {`{"_type":6,"statusId":"s","seatType":"foldable","rowName":"A","seatName":"12"}`, ""},
		"general admission":               {`{"_type":7,"statusId":"s","name":"Floor","gate":"N"}`, ""},
		"a seat with an area's name":      {`{"_type":6,"statusId":"s","name":"Floor"}`, "name"},
		"general admission with a seat":   {`{"_type":7,"statusId":"s","seatType":"foldable","seatName":"12"}`, "seatType seatName"},
		"a null name counts as missing":   {`{"_type":6,"statusId":"s","name":null}`, ""},
		"the type as a string":            {`{"_type":"6","statusId":"s","name":"Floor"}`, "_type"},
		"an unknown type":                 {`{"_type":8,"statusId":"s","name":"Floor"}`, "_type"},
		"the type as a number with zeros": {`{"_type":7.00,"statusId":"s","name":"Floor"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var faults domain.FieldErrors
			decode.Document(&faults, "", seating.Type.Object, domaintest.JSON(row.seating), decode.Sent)
			if got := domaintest.Paths(faults.Err()); got != row.wrong {
				t.Errorf("got the paths %q, want %q", got, row.wrong)
			}
		})
	}
}
