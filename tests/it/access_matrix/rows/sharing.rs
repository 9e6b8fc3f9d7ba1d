//! Rows of items and rentals.

use super::{
    ANY_MEMBER, BAD_CURSOR, BENS_ALONE, IS_LENT, IS_PENDING, NO_GROUP_TO_ASK, NO_ITEM, NO_MORE_DAYS, NO_ORDER, NO_RENTAL, NO_UPLOAD,
    OF_FEW, OF_FRIENDS, OK, OWN_ITEM, Rows, WRONG_SIDE, ana_alone, item, listed, members, rental,
};

// A row is a line, so that the cells of one RPC can be compared.
#[rustfmt::skip]
pub const TABLE: &[(&str, Rows)] = &[
    ("items.v1.ItemsService/CreateItem", &[
        (r#"{"title":"A","description":"B"}"#, ANY_MEMBER),
        (r#"{"title":"A","description":"B","groupIds":["$unknown"]}"#, members(NO_GROUP_TO_ASK)),
        (r#"{"title":"A","description":"B","groupIds":["$group"]}"#, ana_alone(NO_GROUP_TO_ASK)),
    ]),
    ("items.v1.ItemsService/UpdateItem", &[
        (r#"{"item_id":"$item","title":"C"}"#, item(OK)),
        (r#"{"item_id":"$item","status":"ITEM_STATUS_UNLISTED"}"#, item(OK)),
        (r#"{"item_id":"$item","groupIds":["$group"]}"#, item(OK)),
        (r#"{"item_id":"$item","groupIds":["$unknown"]}"#, item(NO_GROUP_TO_ASK)),
        (r#"{"item_id":"$public_item","title":"C"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/DeleteItem", &[
        (r#"{"item_id":"$item"}"#, item(OK)),
        (r#"{"item_id":"$public_item"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/GetItem", &[
        (r#"{"item_id":"$few_item"}"#, OF_FEW),
        (r#"{"item_id":"$own_item"}"#, item(OK)),
        (r#"{"item_id":"$item"}"#, OF_FRIENDS),
        (r#"{"item_id":"$public_item"}"#, ANY_MEMBER),
    ]),
    ("items.v1.ItemsService/ListMyItems", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$items_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("items.v1.ItemsService/BrowseFeed", &[
        ("{}", ANY_MEMBER),
        (r#"{"q":"ladder"}"#, ANY_MEMBER),
        (r#"{"owner_id":"$unknown"}"#, ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$feed_cursor"}"#, BENS_ALONE),
    ]),
    ("items.v1.ItemsService/PresignImage", &[
        (r#"{"item_id":"$item","contentType":"PICTURE_FORMAT_PNG","fileSize":1000}"#, item(OK)),
        (r#"{"item_id":"$public_item","contentType":"PICTURE_FORMAT_PNG"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/ConfirmImage", &[
        (r#"{"item_id":"$uploading","key":"$item_key"}"#, item(OK)),
        (r#"{"item_id":"$item","key":"$unknown"}"#, item(NO_UPLOAD)),
        (r#"{"item_id":"$item","key":"$upload"}"#, item(NO_UPLOAD)),
    ]),
    ("items.v1.ItemsService/ListImages", &[
        (r#"{"item_id":"$few_item"}"#, OF_FEW),
        (r#"{"item_id":"$pictured"}"#, OF_FRIENDS),
        (r#"{"item_id":"$public_item"}"#, ANY_MEMBER),
    ]),
    ("items.v1.ItemsService/DeleteImage", &[
        (r#"{"item_id":"$pictured","image_id":"$image"}"#, item(OK)),
        (r#"{"item_id":"$pictured","image_id":"$unknown"}"#, item(OK)),
        (r#"{"item_id":"$public_item","image_id":"$image"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/OrderImages", &[
        (r#"{"item_id":"$pictured","image_ids":["$image"]}"#, item(OK)),
        (r#"{"item_id":"$pictured","image_ids":["$unknown"]}"#, item(NO_ORDER)),
        (r#"{"item_id":"$public_item","image_ids":["$image"]}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/SetBlackoutDays", &[
        (r#"{"item_id":"$item","ranges":[{"startDate":"2026-07-01","endDate":"2026-07-02"}]}"#, item(OK)),
        (r#"{"item_id":"$public_item","ranges":[]}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/ListBlackoutDays", &[
        (r#"{"item_id":"$item"}"#, item(OK)),
        (r#"{"item_id":"$public_item"}"#, members(NO_ITEM)),
    ]),
    ("rentals.v1.RentalsService/CheckAvailability", &[
        (r#"{"item_id":"$own_item"}"#, ana_alone(NO_ITEM)),
        (r#"{"item_id":"$item"}"#, listed(OK, OK)),
        (r#"{"item_id":"$item","start_date":"2026-06-20","end_date":"2026-06-21"}"#, listed(OK, OK)),
    ]),
    ("rentals.v1.RentalsService/RequestRental", &[
        (r#"{"item_id":"$own_item","startDate":"2026-06-20","endDate":"2026-06-21"}"#, item(OWN_ITEM)),
        (r#"{"item_id":"$item","startDate":"2026-06-20","endDate":"2026-06-21"}"#, listed(OK, OWN_ITEM)),
    ]),
    ("rentals.v1.RentalsService/ListItemRentals", &[
        (r#"{"item_id":"$item"}"#, ana_alone(NO_ITEM)),
    ]),
    ("rentals.v1.RentalsService/GetRental", &[
        (r#"{"request_id":"$asked"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked","item_id":"$unknown"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/ListSentRentals", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$rentals_cursor"}"#, members(BAD_CURSOR)),
    ]),
    ("rentals.v1.RentalsService/ListReceivedRentals", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$rentals_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("rentals.v1.RentalsService/ListRentals", &[
        ("{}", ANY_MEMBER),
        (r#"{"side":"SIDE_OWNER"}"#, ANY_MEMBER),
        (r#"{"side":"SIDE_BORROWER"}"#, ANY_MEMBER),
        (r#"{"side":"SIDE_OWNER","limit":1,"cursor":"$rentals_cursor"}"#, members(BAD_CURSOR)),
    ]),
    ("rentals.v1.RentalsService/AcceptRental", &[
        (r#"{"request_id":"$asked"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$asked"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/DeclineRental", &[
        (r#"{"request_id":"$asked"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$asked"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/CancelRental", &[
        (r#"{"request_id":"$asked"}"#, rental(OK, WRONG_SIDE)),
        (r#"{"request_id":"$agreed"}"#, rental(OK, OK)),
        (r#"{"request_id":"$lent"}"#, rental(IS_LENT, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$asked"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/StartRental", &[
        (r#"{"request_id":"$agreed"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$agreed"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/ReturnRental", &[
        (r#"{"request_id":"$lent"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$lent"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/CompleteRental", &[
        (r#"{"request_id":"$given_back"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$given_back"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/MoveRental", &[
        (r#"{"request_id":"$asked","startDate":"2026-06-20","endDate":"2026-06-21"}"#, rental(OK, WRONG_SIDE)),
        (r#"{"request_id":"$lent","startDate":"2026-06-20","endDate":"2026-06-21"}"#, rental(IS_LENT, WRONG_SIDE)),
        (r#"{"item_id":"$unknown","request_id":"$asked","startDate":"2026-06-20","endDate":"2026-06-21"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/ExtendRental", &[
        (r#"{"request_id":"$lent","endDate":"2026-06-21"}"#, rental(OK, WRONG_SIDE)),
        (r#"{"request_id":"$asked","endDate":"2026-06-21"}"#, rental(IS_PENDING, WRONG_SIDE)),
        (r#"{"item_id":"$unknown","request_id":"$lent","endDate":"2026-06-21"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/AcceptExtension", &[
        (r#"{"request_id":"$longer"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, NO_MORE_DAYS)),
        (r#"{"item_id":"$unknown","request_id":"$longer"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/DeclineExtension", &[
        (r#"{"request_id":"$longer"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$longer"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/RateRental", &[
        (r#"{"request_id":"$done","rating":5}"#, rental(OK, OK)),
        (r#"{"request_id":"$lent","rating":5}"#, rental(IS_LENT, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$done","rating":5}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/RecordRentalPayment", &[
        (r#"{"request_id":"$agreed","payment":"RENTAL_PAYMENT_DEPOSIT_RECEIVED"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked","payment":"RENTAL_PAYMENT_PRICE_PAID"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$agreed","payment":"RENTAL_PAYMENT_PRICE_PAID"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/CreateRentalPictureUpload", &[
        (r#"{"request_id":"$agreed","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$agreed","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/GetItemStats", &[
        (r#"{"item_id":"$own_item"}"#, item(OK)),
        (r#"{"item_id":"$item"}"#, ana_alone(NO_ITEM)),
    ]),
];
