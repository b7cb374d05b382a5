package sale_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/sale"
)

// specified has every field table of the resource. R means required. An enumeration is given by its number of values
// and the last one.
var specified = map[string]string{
	"Transaction": `_id id R; sellerId id R; eventId id R; realPrice number R; status enum 5 CANCELED R; secret string R; tid string R;
coupons array of string R; customerId id; company string; name string; prename string; lastname string; email email;
street string; line2 string; city string; state string; country string; postal string; deliveryAddress DeliveryAddress;
identification array of Document; tickets array of CartTicketItem; products array of CartProductItem;
additionalItems array of AdditionalItem; currency enum 60 MWK; regularPrice number; paymentCharge number;
innerCharge number; outerCharge number; taxRate number; innerFeeComponents FeeComponents; outerFeeComponents FeeComponents;
cancellationFee FeeComponent; cancellationInfo Cancellation; createdAt date-time; updatedAt date-time; psp string;
paymentMethod enum 5 service-payments; paymentInfoMethod enum 5 service-payments; paymentInfo PaymentInfo;
paymentStatus enum 14 EXTERNAL; origin enum 5 subscription; subscriptionId id; userId id; posId id; posInfo PosInfo;
history array of HistoryNote; historyEntries array of HistoryEntry; ticketMailSend boolean; orderMailSend boolean;
extraFields object; channel string; underShop string; userAgent UserAgent; ipLookup IPLookup; locationCenter array of number;
vouchers array of string; redeemedVouchers RedeemedVouchers; appliedCoupons array of AppliedCoupon;
appliedDiscountGroups array of string; posDiscounts array of PosDiscount; preferredLanguage enum 27 zh-TW;
cancellationReason enum 4 TRAINING/TEST; appliedDiscountInfo AppliedDiscounts; invoiceVersion string;
seatingReservationToken string`,
	"DeliveryAddress": `fullAddress string; street string; line2 string; postal string; city string; country country;
state string; name string`,
	"Document": `type enum 1 france_siren R; identifier string R`,
	"CartTicketItem": `amount integer R; price number R; ticketTypeId id R; type enum 1 ticket; _id id; name string; netPrice number;
taxRate number; triggeredBy string or array of string; bundleInfo BundleInfo; categoryRef string; seatingInfo Seating;
slotInfo SlotInfo; asHardTicket boolean; listingId id; listingItemId id; triggeredAutomations boolean; meta object;
addOns array of AddOn; capabilities array of Capability; taxInfo TaxInfo`,
	"CartProductItem": `type enum 1 product R; amount integer R; price number R; productVariantId id R; _id id; name string;
netPrice number; taxRate number; triggeredBy string or array of string; bundleInfo BundleInfo; isFulfillable boolean;
taxInfo TaxInfo`,
	"AdditionalItem": `itemId id R; type enum 1 bundle R; netPrice number R; price number R; taxRate number R; taxInfo TaxInfo;
data AdditionalItemData R`,
	"AdditionalItemData": `bundleId id R`,
	"BundleInfo":         `bundleId id; componentId id; optionId id`,
	"SlotInfo":           `slotId id R; slotStartTime string R`,
	"TaxInfo": `serviceTypeId string; exceptionId string; proceedsAccountId string; proceedsAccountCode string;
taxItems array of TaxItem`,
	"TaxItem": `rate number R; perUnit number R; total number R; name string; taxTypeId string; netTotal number; netPerUnit number;
taxPayableAccountId string; taxPayableAccountCode string`,
	"Seating": `_type enum 2 7 R; statusId id R; _id id; categoryId id; name string; seatType enum 3 foldable; sectionName string;
groupName string; rowName string; seatName string; gate string`,
	"AddOn":              `productId id; productVariantId id; name string`,
	"Capability":         `type enum 1 self_service_return R; settings CapabilitySettings R`,
	"CapabilitySettings": `phases array of ReturnPhase R; returnRelatedItems boolean`,
	"ReturnPhase":        `condition ReturnCondition R; refundPercentage number R`,
	"ReturnCondition":    `unit enum 5 years R; offset integer R; target string`,
	"FeeComponents":      `_id id R; fix array of FeeComponent; var array of FeeComponent`,
	"FeeComponent": `_id id R; amount number; value number; total number; type enum 13 onFreeCart; name string; publicName string;
exposed boolean; scheme FeeScheme`,
	"FeeScheme":    `schemeId id; feeId id`,
	"Cancellation": `cancellableItems array of CancellableItem; refundableByTarget object of number`,
	"CancellableItem": `cartItemId id R; type enum 6 insurance R; price number R; name string; taxRate number; origin FeeOrigin;
cancellationFee FeeComponent; refundId string; cancelledAt date-time`,
	"FeeOrigin": `fee FeeComponent`,
	"PaymentInfo": `_id id R; psp string; gateway enum 3 local; providerType enum 2 service; providerId string; method string;
methodVariant string; locale string; riskLevel string; riskScore number; refundId string; collectedApplicationFee number`,
	"PosInfo": `_id id R; sessionId string; billingNo string; taxId string; paymentMethod string; canceledAt date-time;
cancellationNo date-time`,
	"HistoryNote":  `_id id R; date date-time; title string; message string; type enum 3 USER; risk enum 3 GOOD`,
	"HistoryEntry": `_id id R; date date-time; userId id; data object; type enum 39 commented; risk enum 3 GOOD`,
	"UserAgent":    `_id id R; ua string; browser object; device object; engine object; os object; cpu object`,
	"IPLookup":     `ip string; lookup IPLocation`,
	"IPLocation": `range array of number; country string; region string; eu string; timezone string; city string;
ll array of number; metro number; area number`,
	"RedeemedVouchers": `totalRedeemedAmount number R; vouchers array of RedeemedVoucher`,
	"RedeemedVoucher":  `code string R; redeemedAmount number R; _id id`,
	"AppliedCoupon":    `_id id; code string`,
	"PosDiscount":      `_id id R; name string R; value number R; discountType enum 4 var`,
	"AppliedDiscounts": `items array of DiscountedItem; discounts array of CartDiscount`,
	"DiscountedItem": `_id id R; itemId id; amount number; regularPrice number; price number; varDiscounts array of DiscountInfo;
fixDiscounts array of DiscountInfo`,
	"DiscountInfo": `_id id R; type enum 4 waiveFees R; discountId id; category enum 6 modifier; name string; value number;
allowedItems array of string`,
	"CartDiscount": `_id id R; type enum 4 waiveFees R; discountId id; category enum 6 modifier; name string; value number;
allowedItems array of string; maxItemsInCart number; maxAbsoluteValue number; absoluteDiscountValue number`,
}

func TestTheDefinitionMatchesTheSpecification(t *testing.T) {
	t.Parallel()
	definitions := sale.TransactionDefinition.Definitions()
	if len(definitions) != len(specified) {
		t.Errorf("got %d tables, want %d", len(definitions), len(specified))
	}
	for _, definition := range definitions {
		rows := strings.Split(strings.ReplaceAll(specified[definition.Name], "\n", " "), "; ")
		if len(rows) != len(definition.Members) {
			t.Errorf("%s has %d fields, want %d", definition.Name, len(definition.Members), len(rows))
		}
		for _, row := range rows {
			text, required := strings.CutSuffix(row, " R")
			name, kind, _ := strings.Cut(strings.TrimSpace(text), " ")
			field, ok := definition.Field(name)
			if !ok || typeName(field.Type) != kind || field.Required != required {
				t.Errorf("%s.%s: got %s, required %v; want %s, %v", definition.Name, name,
					typeName(field.Type), field.Required, kind, required)
			}
		}
	}
}

// typeName returns a type's name in specified.
func typeName(of document.Type) string {
	if of.Kind == document.Enumeration || of.Kind == document.IntegerEnumeration {
		return "enum " + itoa(len(of.Names)) + " " + of.Names[len(of.Names)-1]
	}
	return of.String()
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestEveryTransactionFieldAndEnumerationIsChecked(t *testing.T) {
	t.Parallel()
	domaintest.FindsBreaks(t, sale.TransactionDefinition, 1300)
}

func TestEveryValueOfEveryEnumerationIsAccepted(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, definition := range sale.TransactionDefinition.Definitions() {
		for _, field := range definition.Members {
			if field.Type.Kind != document.Enumeration {
				continue
			}
			for _, name := range field.Type.Names {
				var faults domain.FieldErrors
				whole := definition.With(domaintest.Document(definition), field.Name, domaintest.JSON(`"`+name+`"`))
				if decode.Document(&faults, "", definition, whole, decode.Sent); faults.Any() {
					t.Errorf("%s.%s %s: %v", definition.Name, field.Name, name, faults.Err())
				}
				tried++
			}
		}
	}
	if tried < 190 {
		t.Errorf("tried only %d values", tried)
	}
}

func TestStructHoldsTheWholeTransaction(t *testing.T) {
	t.Parallel()
	text := string(domaintest.Document(sale.TransactionDefinition).Append(nil))
	var held sale.Transaction
	if err := json.Unmarshal([]byte(text), &held); err != nil {
		t.Fatal(err)
	}
	printed, err := json.Marshal(held)
	if err != nil {
		t.Fatal(err)
	}
	if !domaintest.JSON(string(printed)).Equal(domaintest.JSON(text)) {
		t.Errorf("got  %s\nwant %s", printed, text)
	}
}
